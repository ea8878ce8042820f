// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

namespace rubato::files {

/// Whoever read the output, as in `rubato run … -o - | head`, has had enough.
class ReaderGone : public Error {
public:
    using Error::Error;
};

} // namespace rubato::files
