// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "exit_code.hpp"
#include "fmu_file.hpp"
#include "terminal.hpp"

#include <rubato/private/format.hpp>
#include <rubato/unit/validation.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace rubato::cli {
namespace {

using nlohmann::ordered_json;
using unit::Finding;
using unit::RuleText;
using unit::Treatment;

struct ValidateOptions {
    std::vector<std::string> files;
    bool json = false;
    bool rules = false;
    bool all = false;
};

/// Violations printed for one rule; the others are only counted.
constexpr std::size_t most_of_a_rule = 3;

std::string sections_text(const RuleText& rule) {
    if (rule.fmi2 == rule.fmi3) return std::string(rule.fmi2);
    std::string text;
    if (!rule.fmi2.empty()) text += format("FMI 2.0: {}", rule.fmi2);
    if (!rule.fmi3.empty()) text += format("{}FMI 3.0: {}", text.empty() ? "" : "; ", rule.fmi3);
    return text;
}

void print_text(const Style& style, const Finding& finding) {
    const RuleText& rule = unit::text_of(finding.rule);
    std::string text =
        format("{}: {}: {}\n  {}: {} ({})\n", to_string(finding.where), style.bold(rule.id),
               finding.message, to_string(rule.treatment), rule.consequence, sections_text(rule));
    if (!finding.hint.empty()) text += format("  {}\n", finding.hint);
    print(stdout, text);
}

/// Prints at most `most` findings of each rule, and then the number of the others.
void print_folded(const std::vector<Finding>& findings, std::size_t most) {
    const Style style(stdout);
    std::map<unit::Rule, std::size_t> totals, printed;
    for (const Finding& finding : findings) ++totals[finding.rule];
    for (const Finding& finding : findings) {
        if (printed[finding.rule] == most) continue;
        print_text(style, finding);
        const std::size_t left = totals[finding.rule] - ++printed[finding.rule];
        if (printed[finding.rule] == most && left > 0)
            print(stdout, format("  … and {} more of {}; --all shows them\n", left,
                                 unit::text_of(finding.rule).id));
    }
}

ordered_json to_json(const Finding& finding) {
    const RuleText& rule = unit::text_of(finding.rule);
    return {{"rule", rule.id},
            {"file", finding.where.file},
            {"line", finding.where.line},
            {"message", finding.message},
            {"hint", finding.hint},
            {"treatment", to_string(rule.treatment)},
            {"consequence", rule.consequence},
            {"meaning", rule.meaning},
            {"sections", {{"2.0", rule.fmi2}, {"3.0", rule.fmi3}}}};
}

void print_rules() {
    const Style style(stdout);
    for (const RuleText& rule : unit::rules())
        print(stdout, format("{}\n  {} ({})\n  {}: {}\n", style.bold(rule.id), rule.meaning,
                             sections_text(rule), to_string(rule.treatment), rule.consequence));
}

void print_summary(const std::string& file, const std::vector<Finding>& findings) {
    const auto refused = std::ranges::count_if(findings, [](const Finding& finding) {
        return unit::text_of(finding.rule).treatment == Treatment::refused;
    });
    if (findings.empty())
        print(stdout, format("{}: no violations of the standard\n", file));
    else
        print(stdout,
              format("{}: {} violation{} of the standard{}\n", file, findings.size(),
                     findings.size() == 1 ? "" : "s",
                     refused == 0 ? "; Rubato can still use it" : "; Rubato cannot use it"));
}

int validate(const ValidateOptions& options) {
    if (options.rules) {
        print_rules();
        return exit_code::success;
    }
    if (options.files.empty())
        throw InputError("there is no FMU to validate", "name one or more files");
    bool is_clean = true;
    ordered_json all = ordered_json::array();
    for (const std::string& file : options.files) {
        require_fmu(file);
        const std::vector<Finding> findings = unit::validate(file);
        is_clean = is_clean && findings.empty();
        if (options.json) {
            for (const Finding& finding : findings) all.push_back(to_json(finding));
        } else {
            print_folded(findings, options.all ? findings.size() : most_of_a_rule);
            print_summary(file, findings);
        }
    }
    constexpr auto lossy = ordered_json::error_handler_t::replace;
    if (options.json) print(stdout, all.dump(2, ' ', false, lossy) + "\n");
    return is_clean ? exit_code::success : exit_code::violations;
}

} // namespace

void add_validate(Command& program, int& exit_code) {
    auto options = std::make_shared<ValidateOptions>();
    Command& command = program.add_command(
        "validate", "Find violations of the FMI standard (1.0, 2.0 or 3.0) in FMUs");
    command.add_option("fmus", options->files, "FMUs to validate")->option_text("FILE.fmu");
    command.add_flag("--json", options->json, "print the violations as JSON")->group(group::output);
    command
        .add_flag(
            "--all", options->all,
            format("print every violation, not only the first {} of each rule", most_of_a_rule))
        ->group(group::output);
    command.add_flag("--rules", options->rules, "list all rules; validate nothing")
        ->group(group::output);
    command.manual.sections = {
        {"Treatment of violations",
         {"Each violation is printed with its line, its rule and what Rubato does:"},
         {{"ignored", "Rubato does not use this part of the FMU"},
          {"lenient", "Rubato reads it as described; with --strict the other commands reject it"},
          {"refused", "Rubato cannot use the FMU"}}}};
    command.manual.examples = {
        {"rubato validate winch.fmu", "Validate one FMU."},
        {"rubato validate *.fmu --json", "Validate several FMUs; print JSON."},
        {"rubato validate --rules", "List the rules with their sections of the standard."}};
    command.manual.exit_codes = {{"0", "no violation"}, {"1", "violations found"}};
    command.callback([options, &exit_code] { exit_code = validate(*options); });
}

} // namespace rubato::cli
