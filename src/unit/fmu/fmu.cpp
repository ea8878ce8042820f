// SPDX-License-Identifier: Apache-2.0
#include "fmu.hpp"

#include "fmi1/fmi1_model_exchange.hpp"
#include "fmi2/fmi2_model_exchange.hpp"
#include "fmi3/fmi3_model_exchange.hpp"
#include "me/solved_unit.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/platform.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace rubato::unit {

namespace fs = std::filesystem;
using scenario::Interface;

namespace {

/// The folders that may hold a library for this machine, the standard's own first.
std::vector<std::string_view> platforms_of(FmiVersion version) {
    if (version == FmiVersion::fmi3) return {platform::fmi3};
    return {platform::fmi2, platform::fmi3};
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

/// The library of a folder that has one.
std::optional<fs::path> find_only_library(const fs::path& folder) {
    std::error_code absent;
    std::optional<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder, absent)) {
        if (entry.path().extension() != ".so") continue;
        if (found) return std::nullopt;
        found = entry.path();
    }
    return found;
}

ModelDescription open_description(const FmuArchive& archive, Strictness strictness, Log& log) {
    Findings findings;
    ModelDescription description = read_model_description(archive, findings);
    findings.throw_if_refused(strictness);
    findings.summarize(archive.file().string(), log);
    return description;
}

} // namespace

Fmu::Fmu(fs::path file, const files::ArchiveLimits& limits, Strictness strictness, Log& log)
    : file_(std::move(file)), absolute_file_(fs::absolute(file_)), limits_(limits),
      strictness_(strictness),
      description_(open_description(FmuArchive(file_, limits), strictness, log)) {}

Interface Fmu::choose(std::optional<Interface> type) const {
    if (description_.is_only_scheduled)
        throw InputError(format("{}: offers scheduled execution only, which Rubato does not run",
                                file_.string()),
                         "export it for co-simulation or model exchange");
    if (!type)
        return description_.co_simulation ? Interface::co_simulation : Interface::model_exchange;
    if (description_.find(*type)) return *type;
    const bool solved = *type == Interface::model_exchange;
    throw InputError(
        format("{}: offers no {}", file_.string(), solved ? "model exchange" : "co-simulation"),
        format("run it as what it is: type: {}", solved ? "cs" : "me"));
}

const scenario::UnitDescription& Fmu::describe(std::optional<Interface> type) {
    const Interface interface = choose(type);
    auto& description = part(interface).description;
    if (!description) description = describe_unit(description_, interface);
    return *description;
}

std::unique_ptr<Unit> Fmu::instantiate(const std::string& name, std::optional<Interface> type,
                                       const scenario::SolverSettings& solver,
                                       const scenario::LoggingSettings& logging, Log& log) {
    const scenario::UnitDescription& description = describe(type);
    const Interface interface = *description.interface;
    auto& binary = part(interface).binary;
    if (!binary) binary = load(interface, log);
    InstanceContext context{log, logging,
                            description.capabilities.one_instance_per_process ? claim_instance()
                                                                              : nullptr};
    if (interface == Interface::model_exchange)
        return make_solved(name, *binary, description, solver, std::move(context));
    if (const auto* fmi1 = std::get_if<Fmi1Binary>(&binary->functions))
        return std::make_unique<Fmi1Unit>(name, *fmi1, description, std::move(context));
    if (const auto* fmi2 = std::get_if<Fmi2Binary>(&binary->functions))
        return std::make_unique<Fmi2Unit>(name, *fmi2, description, std::move(context));
    return std::make_unique<Fmi3Unit>(name, std::get<Fmi3Binary>(binary->functions), description,
                                      std::move(context));
}

std::unique_ptr<Unit> Fmu::make_solved(const std::string& name, const Binary& binary,
                                       const scenario::UnitDescription& description,
                                       const scenario::SolverSettings& solver,
                                       InstanceContext context) const {
    Log& log = context.log;
    const auto make_model = [&](FaultSink& sink) -> std::unique_ptr<ModelExchange> {
        if (const auto* fmi1 = std::get_if<Fmi1Binary>(&binary.functions)) {
            return std::make_unique<Fmi1ModelExchange>(
                name, *fmi1, description, description_.continuous, std::move(context), sink);
        }
        if (const auto* fmi2 = std::get_if<Fmi2Binary>(&binary.functions)) {
            return std::make_unique<Fmi2ModelExchange>(
                name, *fmi2, description, description_.continuous, std::move(context), sink);
        }
        return std::make_unique<Fmi3ModelExchange>(name, std::get<Fmi3Binary>(binary.functions),
                                                   description, description_.continuous,
                                                   std::move(context), sink);
    };
    return std::make_unique<SolvedUnit>(name, description, description_.continuous, solver, log,
                                        strictness_, make_model);
}

void Fmu::provide_files() {
    if (!root_.empty()) return;
    const FmuArchive archive(absolute_file_, limits_);
    if (archive.is_folder()) {
        root_ = fs::canonical(absolute_file_);
        return;
    }
    auto folder = std::make_unique<files::TemporaryFolder>();
    archive.unpack(folder->path());
    folder_ = std::move(folder);
    root_ = fs::absolute(folder_->path());
}

std::unique_ptr<Fmu::Binary> Fmu::load(Interface interface, Log& log) {
    const InterfaceDescription& declared = description_.find(interface).value();
    const std::string& tool = description_.unit.generation_tool;
    if (declared.capabilities.needs_execution_tool) {
        log.write(LogLevel::warning, "",
                  format("{}: needs {} to be installed on this machine (needsExecutionTool)",
                         file_.string(), tool.empty() ? "the tool that made it" : tool));
    }
    provide_files();
    std::unique_ptr<Binary> binary(new Binary{
        {find_library(declared.model_identifier), file_.string(), root_ / "resources"}, {}});
    Findings findings;
    if (binary->library.needed_others())
        findings.add(Rule::library_dependency, {},
                     "its library does not find the libraries that it is linked with");
    const FunctionLoader loader(binary->library, findings);
    const fs::path resources = root_ / "resources";
    const scenario::Capabilities& can = declared.capabilities;
    if (description_.version == FmiVersion::fmi1) {
        binary->functions =
            Fmi1Binary{load_fmi1_functions(loader, declared.model_identifier, interface, can),
                       to_uri(root_), description_.negated, strictness_};
    } else if (description_.version == FmiVersion::fmi2) {
        binary->functions =
            Fmi2Binary{load_fmi2_functions(loader, interface, can), to_uri(resources), strictness_};
    } else {
        binary->functions =
            Fmi3Binary{load_fmi3_functions(loader, interface, can), resources.string() + '/',
                       InputDerivativeMap(description_.unit.variables), strictness_};
    }
    findings.throw_if_refused(strictness_);
    findings.summarize(file_.string(), log);
    return binary;
}

void Fmu::require_copyable(std::optional<Interface> type) {
    const scenario::UnitDescription& unit = describe(type);
    if (unit.capabilities.needs_execution_tool)
        throw InputError(
            format("{}: needs {} to be installed wherever it runs (needsExecutionTool)",
                   file_.string(),
                   unit.generation_tool.empty() ? "the tool that made it" : unit.generation_tool),
            "let that tool export an FMU that runs on its own");
    const auto wanted = platforms_of(description_.version);
    const bool has_one = std::ranges::any_of(wanted, [&](std::string_view platform) {
        return std::ranges::find(unit.platforms, platform) != unit.platforms.end();
    });
    if (!has_one) refuse_platform();
}

void Fmu::refuse_platform() const {
    const auto& has = description_.unit.platforms;
    throw InputError(format("{}: has no binary for this platform, {}", file_.string(),
                            platforms_of(description_.version).front()),
                     has.empty() ? "it has none at all; a source-code FMU must be compiled first"
                                 : format("it has binaries for: {}", fmt::join(has, ", ")));
}

fs::path Fmu::find_library(const std::string& identifier) const {
    const std::string library = identifier + ".so";
    const auto wanted = platforms_of(description_.version);
    for (const std::string_view platform : wanted) {
        const fs::path binaries = root_ / "binaries" / platform;
        if (fs::is_regular_file(binaries / library)) return binaries / library;
        if (const auto only = find_only_library(binaries)) return *only;
        if (fs::is_directory(binaries)) {
            throw InputError(
                format("{}: binaries/{} holds no {}", file_.string(), platform, library),
                "the library must be named after the modelIdentifier");
        }
    }
    refuse_platform();
}

bool Fmu::is_taken(std::optional<Interface> type) {
    return describe(type).capabilities.one_instance_per_process && !only_instance_.expired();
}

/// Not taken yet: Library has looked.
std::shared_ptr<void> Fmu::claim_instance() {
    auto claim = std::make_shared<char>();
    only_instance_ = claim;
    return claim;
}

} // namespace rubato::unit
