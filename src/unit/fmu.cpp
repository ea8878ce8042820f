// SPDX-License-Identifier: Apache-2.0
#include "fmu.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <string_view>
#include <vector>

namespace rubato::unit {

namespace fs = std::filesystem;

namespace {

#if defined(__x86_64__)
constexpr std::string_view machine = "x86_64-linux", short_name = "linux64";
#elif defined(__i386__)
constexpr std::string_view machine = "x86-linux", short_name = "linux32";
#elif defined(__aarch64__)
constexpr std::string_view machine = "aarch64-linux", short_name = "aarch64-linux";
#else
#error "which folder under binaries/ holds the libraries for this machine?"
#endif

/// The folders that may hold a library for this machine, the standard's own first.
std::vector<std::string_view> platforms_of(FmiVersion version) {
    if (version == FmiVersion::fmi3) return {machine};
    return {short_name, machine};
}

bool stands_for_itself(unsigned char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') ||
           std::string_view("-._~/").find(static_cast<char>(c)) != std::string_view::npos;
}

/// RFC 3986: what is not unreserved is percent-encoded.
std::string to_uri(const fs::path& absolute) {
    std::string uri = "file://";
    for (const char c : absolute.string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (stands_for_itself(byte)) {
            uri += c;
        } else {
            uri += format("%{:02X}", byte);
        }
    }
    return uri;
}

} // namespace

Fmu::Fmu(fs::path file, const ArchiveLimits& limits)
    : file_(std::move(file)), limits_(limits),
      description_(read_model_description(Archive(file_, limits))) {}

std::unique_ptr<Unit> Fmu::instantiate(const std::string& name, Log& log) {
    if (!loaded_) load(log);
    auto claim = claim_instance(name);
    if (const auto* fmi2 = std::get_if<Fmi2Binary>(&loaded_->binary)) {
        return std::make_unique<Fmi2Unit>(name, *fmi2, description(), log, std::move(claim));
    }
    return std::make_unique<Fmi3Unit>(name, std::get<Fmi3Binary>(loaded_->binary), description(),
                                      log, std::move(claim));
}

void Fmu::load(Log& log) {
    if (description().capabilities.needs_execution_tool) {
        log.write(LogLevel::warning, "",
                  format("{}: needs {} to be installed on this machine (needsExecutionTool)",
                         file_.string(),
                         description().generation_tool.empty() ? "the tool that made it"
                                                               : description().generation_tool));
    }
    auto loaded = std::make_unique<Loaded>();
    Archive(file_, limits_).unpack(loaded->folder.path());
    loaded->library.emplace(find_library(loaded->folder.path()), file_.string());
    const fs::path resources = fs::absolute(loaded->folder.path()) / "resources";
    const scenario::Capabilities& can = description().capabilities;
    if (description_.version == FmiVersion::fmi2) {
        loaded->binary = Fmi2Binary{load_fmi2_functions(*loaded->library, can), to_uri(resources)};
    } else {
        loaded->binary =
            Fmi3Binary{load_fmi3_functions(*loaded->library, can), resources.string() + '/',
                       InputDerivativeMap(description().variables)};
    }
    loaded_ = std::move(loaded);
}

fs::path Fmu::find_library(const fs::path& folder) const {
    const std::string library = description_.model_identifier + ".so";
    const auto wanted = platforms_of(description_.version);
    for (const std::string_view platform : wanted) {
        const fs::path binaries = folder / "binaries" / platform;
        if (fs::is_regular_file(binaries / library)) return binaries / library;
        if (fs::is_directory(binaries)) {
            throw InputError(
                format("{}: binaries/{} holds no {}", file_.string(), platform, library),
                "the library must be named after the modelIdentifier");
        }
    }
    const auto& has = description().platforms;
    throw InputError(
        format("{}: has no binary for this platform, {}", file_.string(), wanted.front()),
        has.empty() ? "it has none at all; a source-code FMU must be compiled first"
                    : format("it has binaries for: {}", fmt::join(has, ", ")));
}

std::shared_ptr<void> Fmu::claim_instance(const std::string& name) {
    if (!description().capabilities.one_instance_per_process) return nullptr;
    if (!only_instance_.expired()) {
        throw InputError(
            format("unit \"{}\": {} can be instantiated only once per process", name,
                   file_.string()),
            "another unit uses it already; use it once, or export it without this restriction");
    }
    auto claim = std::make_shared<char>();
    only_instance_ = claim;
    return claim;
}

} // namespace rubato::unit
