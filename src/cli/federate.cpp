// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "crash_guard.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "run_options.hpp"
#include "terminal.hpp"

#include <rubato/distributed/fom.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/flatten.hpp>

#include <nlohmann/json.hpp>

#include <memory>
#include <sstream>

namespace rubato::cli {
namespace {

using distributed::Federation;
using distributed::FederationSettings;
using OfferJson = nlohmann::json;

/// What the master's command line means for all federates.
std::string offer_of(const RunOptions& options) {
    OfferJson overrides = OfferJson::array();
    for (const auto& [path, value, source] : options.scenario.overrides)
        overrides.push_back({path, value, source});
    OfferJson parameters = OfferJson::array();
    for (const std::filesystem::path& file : options.scenario.parameters)
        parameters.push_back(file.string());
    return OfferJson{{"variant", options.scenario.variant},
                     {"overrides", overrides},
                     {"settings", options.scenario.settings},
                     {"parameters", parameters},
                     {"unverified", options.scenario.verification == pipeline::Verification::skip},
                     {"flatten", options.scenario.flatten},
                     {"ignore-written", options.scenario.ignore_written},
                     {"strict", options.scenario.strictness == unit::Strictness::strict},
                     {"no-record", options.no_record},
                     {"quiet", options.quiet},
                     {"trust", options.trust},
                     {"reference", options.reference}}
        .dump();
}

/// The master's options for a scenario file of this process.
RunOptions taken_options(const std::string& offer, const std::string& file) {
    RunOptions options;
    options.scenario.file = file;
    try {
        const OfferJson given = OfferJson::parse(offer);
        given.at("variant").get_to(options.scenario.variant);
        for (const OfferJson& each : given.at("overrides"))
            options.scenario.overrides.push_back({each.at(0), each.at(1), each.at(2)});
        given.at("settings").get_to(options.scenario.settings);
        for (const OfferJson& each : given.at("parameters"))
            options.scenario.parameters.emplace_back(each.get<std::string>());
        if (given.at("unverified").get<bool>())
            options.scenario.verification = pipeline::Verification::skip;
        given.at("flatten").get_to(options.scenario.flatten);
        given.at("ignore-written").get_to(options.scenario.ignore_written);
        if (given.at("strict").get<bool>()) options.scenario.strictness = unit::Strictness::strict;
        given.at("no-record").get_to(options.no_record);
        given.at("quiet").get_to(options.quiet);
        given.at("trust").get_to(options.trust);
        given.at("reference").get_to(options.reference);
    } catch (const OfferJson::exception& fault) {
        throw Error(format("the options of the master cannot be read: {}", fault.what()),
                    "all federates of a run need the same program");
    }
    return options;
}

FederationSettings settings_of(const FederationOptions& options, const Interrupt& interrupt) {
    if (!(options.time_limit > 0))
        throw InputError(format("--time-limit {}: it must be greater than 0", options.time_limit));
    return {.federation = options.federation,
            .units = options.units,
            .address = options.rti,
            .time_limit =
                std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit * 1000)),
            .stop = &interrupt.requested()};
}

/// What has to be known of a scenario before its federation forms.
struct Overview {
    std::vector<std::string> units;
    std::string fom;
};

Overview overview_of(ScenarioOptions options) {
    unit::Library library(silent_log());
    pipeline::add_native_models(library);
    scenario::Scenario scenario = read_scenario(options, library);
    Diagnostics diagnostics;
    if (options.flatten) scenario = scenario::flatten(scenario, diagnostics);
    Overview overview;
    for (const auto& unit : scenario.units) overview.units.push_back(unit.name);
    scenario::System system;
    if (!scenario.hla.empty()) {
        options.verification = pipeline::Verification::skip; // that is for the run
        system = load_scenario(options, library, LogLevel::error).orchestration.system;
    }
    overview.fom = distributed::federation_fom(scenario.name, system);
    return overview;
}

/// The master takes note of federates that it refuses, and continues to wait.
class Refusals final : public distributed::RefusalReport {
public:
    void refused(const std::string& message) override {
        print(stderr, format("{} {}\n", Style(stderr).yellow("warning:"), message));
    }
};

/// An error of one federate ends all; each reports it to its user.
int run_federated(Federation& federation, const RunOptions& options) {
    const JointCrash joint_crash(federation);
    try {
        const int code = run_scenario(options, &federation, &federation);
        federation.end(code);
        return code;
    } catch (...) {
        federation.fail(std::current_exception());
        throw; // g++ does not see that it does not return
    }
}

int run_as_slave(const std::string& file, const FederationOptions& options) {
    std::unique_ptr<Federation> federation;
    {
        const Interrupt interrupt;
        FederationSettings settings = settings_of(options, interrupt);
        ScenarioOptions scenario;
        scenario.file = file;
        // A file that cannot be read is this user's concern alone.
        settings.fom = overview_of(scenario).fom;
        constexpr bool is_master = false;
        federation = follow_federation(open_link(settings, is_master), settings);
    }
    return run_federated(*federation, taken_options(federation->offer(), file));
}

Manual federate_manual() {
    Manual manual;
    manual.description = {
        "The master, rubato run --hla, waits until federates have claimed all units. Its options "
        "hold for all federates. Each federate reads the same scenario, owns the units that it "
        "claims, and executes the same verified algorithm."};
    manual.examples = {{"rubato federate stairs.yaml --federation stairs --units x,v_x",
                        "Claim two units of a scenario."},
                       {"rubato run stairs.yaml --hla --federation stairs --units stairs,y,v_y",
                        "Run the scenario as the master, which has the other units."}};
    return manual;
}

} // namespace

void add_federation_options(Command& command, FederationOptions& options) {
    command.add_option("--federation", options.federation, "name of the federation execution")
        ->option_text("NAME")
        ->group(group::federation);
    command.add_option("--units", options.units, "units of the scenario that this federate has")
        ->option_text("UNIT,…")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->group(group::federation);
    command
        .add_option("--rti", options.rti,
                    "address of the run-time infrastructure, as it expects it: rti://node7:14321")
        ->option_text("ADDRESS")
        ->default_str("that of the RTI")
        ->group(group::federation);
    command
        .add_option("--time-limit", options.time_limit,
                    "wait so long for federates to join, and at most 10 s for one that gives no "
                    "sign of life [s]")
        ->option_text("SECONDS")
        ->default_str("60")
        ->group(group::federation);
}

int run_as_master(const RunOptions& options) {
    if (options.hla.federation.empty())
        throw InputError("--hla needs --federation", "give the federation a name that is unique");
    std::unique_ptr<Federation> federation;
    {
        const Interrupt interrupt;
        FederationSettings settings = settings_of(options.hla, interrupt);
        const Overview overview = overview_of(options.scenario);
        settings.fom = overview.fom;
        Refusals refusals;
        constexpr bool is_master = true;
        federation = lead_federation(open_link(settings, is_master), settings, overview.units,
                                     offer_of(options), refusals);
    }
    return run_federated(*federation, options);
}

void add_federate(Command& program, int& exit_code) {
    struct Options {
        std::string file;
        FederationOptions federation;
    };
    auto options = std::make_shared<Options>();
    Command& command =
        program.add_command("federate", "Take part in the run of a scenario as an HLA federate");
    command.add_option("scenario", options->file, "scenario file")->option_text("FILE")->required();
    add_federation_options(command, options->federation);
    command.manual = federate_manual();
    command.callback([options, &exit_code] {
        if (options->federation.federation.empty())
            throw InputError("--federation is missing", "give it the name that the master has");
        if (options->federation.units.empty())
            throw InputError("--units is missing", "claim at least one unit of the scenario");
        exit_code = run_as_slave(options->file, options->federation);
    });
}

} // namespace rubato::cli
