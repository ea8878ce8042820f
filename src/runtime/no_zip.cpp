// SPDX-License-Identifier: Apache-2.0
// In place of src/files/archive_zip.cpp: what an exported scenario holds is unpacked already.
#include <rubato/files/archive.hpp>

#include <stdexcept>

namespace rubato::files {

namespace {

[[noreturn]] void refuse_archive() {
    throw std::logic_error("an exported scenario holds no archives");
}

} // namespace

void Archive::Closer::operator()(zip*) const {}
void Archive::open_zip() { refuse_archive(); }
void Archive::list_zip() { refuse_archive(); }
Archive::Entry Archive::judge(std::uint64_t) const { refuse_archive(); }
void Archive::judge_kind(std::uint64_t, std::string_view) const { refuse_archive(); }
std::uint64_t Archive::stream(const Entry&, std::uint64_t, const Sink&) const { refuse_archive(); }

} // namespace rubato::files
