// SPDX-License-Identifier: Apache-2.0
#include "fmu_archive.hpp"

namespace rubato::unit {

namespace {

constexpr files::ArchiveKind fmu_kind{.name = "FMU", .marker = "modelDescription.xml"};

Rule rule_of(files::ArchiveFault fault) {
    switch (fault) {
    case files::ArchiveFault::damaged: return Rule::archive_damaged;
    case files::ArchiveFault::limits: return Rule::archive_limits;
    case files::ArchiveFault::path: return Rule::archive_path;
    case files::ArchiveFault::special_entry: return Rule::archive_special_entry;
    case files::ArchiveFault::duplicate_entry: return Rule::archive_duplicate_entry;
    case files::ArchiveFault::missing_entry: break;
    }
    return Rule::description_missing;
}

Refusal refusal_of(const files::ArchiveError& error, const std::filesystem::path& file) {
    return Refusal({rule_of(error.fault()), {file.string()}, error.problem(), error.hint()});
}

} // namespace

FmuArchive::FmuArchive(const std::filesystem::path& file, const files::ArchiveLimits& limits) try
    : files
    ::Archive(file, fmu_kind, limits) {}
catch (const files::ArchiveError& error) {
    throw refusal_of(error, file);
}

std::string FmuArchive::read(std::string_view entry) const try {
    return files::Archive::read(entry);
} catch (const files::ArchiveError& error) {
    throw refusal_of(error, file());
}

void FmuArchive::unpack(const std::filesystem::path& folder) const try {
    files::Archive::unpack(folder);
} catch (const files::ArchiveError& error) {
    throw refusal_of(error, file());
}

} // namespace rubato::unit
