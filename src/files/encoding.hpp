// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace rubato::files {

/// An XML file's text as UTF-8, without a byte-order mark.
struct DecodedText {
    std::string text;
    std::string fault; ///< what the file's encoding is; empty: UTF-8, as it should be
};

/// Goes by the bytes, not by what the XML declaration says, which is often wrong: the byte-order
/// mark, else the zeros that UTF-16 puts next to the first "<". Bytes that are no UTF-8 are taken
/// as Windows-1252, which Latin-1 is part of. Never fails: what means nothing becomes U+FFFD.
DecodedText decode_xml(std::string bytes);

} // namespace rubato::files
