// SPDX-License-Identifier: Apache-2.0
#include <rubato/private/format.hpp>
#include <rubato/unit/rules.hpp>

#include <array>

namespace rubato::unit {

namespace {

using R = Rule;
constexpr Treatment ignored = Treatment::ignored;
constexpr Treatment lenient = Treatment::lenient;
constexpr Treatment refused = Treatment::refused;

constexpr std::string_view not_read = "it is passed over";
constexpr std::string_view cannot_open = "the FMU cannot be opened";
constexpr std::string_view left_out = "the variable is left out";
constexpr std::string_view first_counts = "the first one counts";
constexpr std::string_view nothing_follows = "nothing follows from it";
constexpr std::string_view rubatos_own = "Rubato's own";

/// By rule: id, meaning, sections of FMI 2.0.4 and 3.0.2, treatment, consequence.
constexpr std::array table = {
    RuleText{R::archive_damaged, "archive-damaged", "an FMU is a zip archive", "2.3", "2.5",
             refused, cannot_open},
    RuleText{R::archive_path, "archive-path",
             "the paths of entries are relative, use \"/\" and stay inside the archive",
             "2.3 (zip format)", "2.5 (zip format)", refused, cannot_open},
    RuleText{R::archive_special_entry, "archive-special-entry",
             "the archive holds files and folders, not encrypted, no links", "2.3", "2.5", refused,
             cannot_open},
    RuleText{R::archive_duplicate_entry, "archive-duplicate-entry",
             "files of one name are the same, and none is a folder, too", "implied by 2.3",
             "implied by 2.5", refused, cannot_open},
    RuleText{R::archive_repeated_entry, "archive-repeated-entry",
             "a file is there once, even if it is always the same", "implied by 2.3",
             "implied by 2.5", lenient, "the first is taken"},
    RuleText{R::archive_limits, "archive-limits", "the archive unpacks to what a machine can hold",
             rubatos_own, rubatos_own, refused, cannot_open},
    RuleText{R::description_missing, "description-missing",
             "modelDescription.xml stands at the top of the archive", "2.3", "2.5.1", refused,
             cannot_open},
    RuleText{R::binary_missing, "binary-missing",
             "there is a library for a platform at least, or source code", "2.3", "2.5", lenient,
             "the FMU can be inspected, not run"},
    RuleText{R::library_name, "library-name",
             "the library of a platform is named after the modelIdentifier", "2.3", "2.5.1",
             lenient, "a library that is alone in its folder is taken; among several, none"},
    RuleText{R::platform_folder, "platform-folder",
             "folders under binaries/ have names like <machine>-<system>; FMI 2.0 allows any", "",
             "2.5.1.4", ignored, not_read},
    RuleText{R::source_file_missing, "source-file-missing",
             "the source files that the description lists are under sources/", "2.3", "", ignored,
             "Rubato compiles no sources"},
    RuleText{R::documentation_index, "documentation-index",
             "a documentation folder holds index.html", "2.3 (figure)", "2.5.1.1 (figure)", ignored,
             nothing_follows},
    RuleText{R::function_missing, "function-missing",
             "the library exports all functions of the standard", "2.3", "2.5", lenient,
             "it is done without where that is possible; else a call of it is an error"},

    RuleText{R::library_dependency, "library-dependency",
             "the library finds the libraries that it is linked with", "2.3 (implied)",
             "2.5.1.3 (implied)", lenient,
             "those in its folder and in resources/ are loaded before it"},
    RuleText{R::xml_malformed, "xml-malformed", "the description is well-formed XML", "2.2", "2.4",
             refused, cannot_open},
    RuleText{R::xml_doctype, "xml-doctype",
             "the description declares no document type (FMI has no use for one)", rubatos_own,
             rubatos_own, refused,
             "the FMU cannot be opened: document types can hold entity bombs"},
    RuleText{R::xml_encoding, "xml-encoding", "the description is encoded in UTF-8", "2.2", "2.4",
             lenient, "it is read as what it is: UTF-16 or Latin-1 (Windows-1252)"},
    RuleText{R::root_element, "root-element", "the root is <fmiModelDescription>", "2.2.1", "2.4.1",
             refused, cannot_open},
    RuleText{R::version_unsupported, "version-unsupported", "fmiVersion names a version of FMI",
             "2.2.1", "2.4.1", refused, cannot_open},
    RuleText{R::version_spelling, "version-spelling",
             "fmiVersion is \"1.0\", \"2.0\", or \"3.0\" and so on", "2.2.1", "2.4.1", lenient,
             "the version is guessed from its first digit"},
    RuleText{R::unknown_element, "unknown-element", "elements are those of the schema", "2.2",
             "2.4", ignored, not_read},
    RuleText{R::unknown_attribute, "unknown-attribute", "attributes are those of the schema", "2.2",
             "2.4", ignored, not_read},
    RuleText{R::missing_element, "missing-element", "elements that the schema requires are there",
             "2.2", "2.4", lenient, "it is taken as empty"},
    RuleText{R::missing_attribute, "missing-attribute",
             "attributes that the schema requires are there", "2.2", "2.4", lenient,
             "it is taken as empty"},
    RuleText{R::repeated_element, "repeated-element",
             "elements that the schema allows once are there once", "2.2", "2.4", lenient,
             first_counts},
    RuleText{R::element_order, "element-order", "elements are in the order of the schema", "2.2",
             "2.4", lenient, "the order does not matter"},
    RuleText{R::malformed_value, "malformed-value",
             "numbers, truth values and dates are written as such", "2.2", "2.4", lenient,
             "the attribute is taken as absent"},
    RuleText{R::unknown_word, "unknown-word",
             "causality, variability and initial have the values of the schema", "2.2.7", "2.4.7.4",
             lenient, "the attribute is taken as absent"},

    RuleText{R::guid_missing, "guid-missing", "the description has a GUID or instantiation token",
             "2.2.1", "2.4.1", lenient, "the library gets an empty one, and may refuse it"},
    RuleText{
        R::no_interface, "no-interface",
        "the FMU offers co-simulation or model exchange (or, for FMI 3.0, scheduled execution)",
        "2.2.1", "2.4.1", refused, "the FMU cannot be run"},
    RuleText{R::model_identifier_missing, "model-identifier-missing",
             "an interface has a modelIdentifier", "3.3.1, 4.3.1", "2.4.2", refused,
             "the library cannot be found"},
    RuleText{R::model_identifier_path, "model-identifier-path",
             "the modelIdentifier holds no \"/\" and no \"\\\"", "3.3.1, 4.3.1", "2.4.2", refused,
             "the library would be looked for outside its folder"},
    RuleText{R::model_identifier_syntax, "model-identifier-syntax",
             "the modelIdentifier is a name of the language C", "3.3.1, 4.3.1", "2.4.2", lenient,
             "it names the library all the same"},
    RuleText{R::capability_conflict, "capability-conflict",
             "capabilities that need others come with them", "3.3.1, 4.3.1", "2.4.2, 4.4", lenient,
             "what is declared is believed, the conclusion from it is not drawn"},
    RuleText{R::default_experiment, "default-experiment",
             "the default experiment ends after its start, its step and tolerance are positive",
             "implied by 2.2.5", "implied by 2.4.6", lenient,
             "values that make no sense are taken as absent"},
    RuleText{R::duplicate_log_category, "duplicate-log-category",
             "names of log categories are unique", "2.2.4", "2.4.5", ignored, nothing_follows},

    RuleText{R::duplicate_unit, "duplicate-unit",
             "names of units, and of the display units of a unit, are unique", "2.2.2", "2.4.3",
             lenient, first_counts},
    RuleText{R::unit_factor, "unit-factor", "factors of units are not zero", "implied by 2.2.2",
             "implied by 2.4.3", lenient, "values in this unit are not converted"},
    RuleText{R::duplicate_type, "duplicate-type", "names of types are unique", "2.2.3", "2.4.4",
             lenient, "the last one counts"},
    RuleText{R::duplicate_item, "duplicate-item",
             "names and values of the items of an enumeration are unique", "2.2.3", "2.4.4",
             lenient, "values are taken as numbers"},
    RuleText{R::undefined_unit, "undefined-unit",
             "units of variables and types are among the unit definitions", "2.2.3",
             "2.4.4, 2.4.7.5", lenient, "the unit is a name only"},
    RuleText{R::undefined_display_unit, "undefined-display-unit",
             "a display unit comes with a unit (FMI 3.0: and is one of that unit's)", "2.2.3",
             "2.4.4", ignored, "display units are not used"},
    RuleText{R::undefined_type, "undefined-type",
             "declared types of variables are among the type definitions", "2.2.7", "2.4.7.5",
             lenient, "the variable has only what it says itself"},
    RuleText{R::type_mismatch, "type-mismatch", "a variable and its declared type are of one kind",
             "implied by 2.2.7", "implied by 2.4.7.5", lenient, "the variable keeps its own type"},

    RuleText{R::missing_name, "missing-name", "variables have a name that is not empty", "2.2.9",
             "2.4.7.4", lenient, left_out},
    RuleText{R::duplicate_name, "duplicate-name", "names of variables are unique", "2.2.9",
             "2.4.7.4", lenient, "the later variable is left out"},
    RuleText{R::flat_name, "flat-name", "names hold no tabs and no line ends", "2.2.9", "2.4.7.5.1",
             lenient, "the name is taken as it is"},
    RuleText{R::structured_name, "structured-name",
             "with the structured naming convention, names keep its grammar", "2.2.9", "2.4.7.5.1",
             lenient, "the name is taken as it is"},
    RuleText{R::missing_value_reference, "missing-value-reference",
             "variables have a value reference", "2.2.7", "2.4.7.4", lenient, left_out},
    RuleText{R::duplicate_value_reference, "duplicate-value-reference",
             "value references are unique (FMI 2.0 allows them for aliases)", "", "2.4.7.4",
             lenient, "the later variable is taken as another name of the first"},
    RuleText{R::alias_starts, "alias-starts",
             "of variables with one value reference, one at most has a start value", "2.2.7", "",
             lenient, "all are set that have one, in the order of the description"},
    RuleText{R::alias_constant, "alias-constant",
             "constants share their value reference with constants only", "2.2.7", "", lenient,
             "each keeps its own variability"},
    RuleText{R::alias_unit, "alias-unit",
             "variables with one value reference have the same unit, or none", "2.2.7", "", lenient,
             "each keeps its own unit"},
    RuleText{R::missing_type, "missing-type", "variables have a type of the standard", "2.2.7",
             "2.4.7.5", lenient, left_out},
    RuleText{R::independent_variable, "independent-variable",
             "one variable at most (FMI 3.0: exactly one) is independent; it is a continuous real",
             "2.2.7", "2.4.7.4", ignored, "time is what the engine says"},
    RuleText{R::wrong_variability, "wrong-variability",
             "only real variables are continuous; in FMI 2.0 others must say that they are not",
             "2.2.7", "2.4.7.4", lenient, "the variable is taken as discrete"},
    RuleText{R::causality_variability, "causality-variability",
             "causality and variability go together as the standard's table says", "2.2.7",
             "2.4.7.4", lenient, "the causality counts"},
    RuleText{R::wrong_initial, "wrong-initial",
             "initial is one that causality and variability allow", "2.2.7", "2.4.7.5", lenient,
             "what is declared is believed"},
    RuleText{
        R::missing_start, "missing-start",
        "inputs, parameters, constants and variables with an exact or approximate initial value "
        "have a start value",
        "2.2.7", "2.4.7.5", lenient, "the value that the FMU has by itself stays"},
    RuleText{R::superfluous_start, "superfluous-start",
             "variables that are calculated or independent have no start value", "2.2.7", "2.4.7.5",
             lenient, "the start value is shown and not set"},
    RuleText{R::start_type, "start-type", "a start value is of its variable's type", "2.2.7",
             "2.4.7.5", lenient, "the value that the FMU has by itself stays"},
    RuleText{R::start_count, "start-count",
             "an array has one start value, or as many as it has elements", "", "2.4.7.5", lenient,
             "the start values are left to the FMU"},
    RuleText{R::start_out_of_range, "start-out-of-range", "a start value lies between min and max",
             "schema", "implied by 2.4.4", lenient, "it is set all the same"},
    RuleText{R::start_not_an_item, "start-not-an-item",
             "an enumeration starts with one of its items", "implied by 2.2.3", "implied by 2.4.4",
             lenient, "it is set all the same"},
    RuleText{R::min_above_max, "min-above-max", "min is not above max", "schema",
             "implied by 2.4.4", lenient, "the range is taken as absent"},
    RuleText{R::nominal_not_positive, "nominal-not-positive", "nominal values are positive",
             "schema", "2.3.3 (of states), else recommended", lenient,
             "the nominal value is taken as absent: 1"},
    RuleText{R::derivative_index, "derivative-index",
             "a derivative is that of a variable which is there", "2.2.7", "2.4.7.5", lenient,
             "it is taken for a variable like any other"},
    RuleText{R::derivative_type, "derivative-type",
             "derivatives are continuous reals, of continuous reals, not of themselves", "2.2.7",
             "2.4.7.5", lenient, "what is declared is believed"},
    RuleText{R::multiple_set_flag, "multiple-set-flag",
             "canHandleMultipleSetPerTimeInstant is for inputs of model exchange", "2.2.7",
             "2.4.7.4", ignored, nothing_follows},
    RuleText{R::dimension, "dimension",
             "a dimension is a number, or a structural parameter with a start value", "", "2.4.7.2",
             refused, "the size of an array would not be known"},
    RuleText{R::clock_reference, "clock-reference", "the clocks of a variable are clocks", "",
             "2.4.7.4", lenient, "what is no clock is passed over"},
    RuleText{R::clock_timing, "clock-timing",
             "a clock says what makes it tick; if that is time, at positive intervals", "", "2.2.8",
             lenient, "the clock is taken as triggered"},

    RuleText{R::output_not_in_model_structure, "output-not-in-model-structure",
             "the model structure lists all outputs", "2.2.8", "2.4.8", lenient,
             "the output is taken to depend at once on every input"},
    RuleText{R::not_an_output, "not-an-output", "the outputs of the model structure are outputs",
             "2.2.8", "2.4.8", lenient, not_read},
    RuleText{R::structure_index, "structure-index",
             "the model structure lists variables that are there", "2.2.8", "2.4.8", lenient,
             not_read},
    RuleText{R::structure_duplicate, "structure-duplicate",
             "a list of the model structure names a variable once", "2.2.8", "2.4.8", lenient,
             "the last one counts"},
    RuleText{R::dependency_index, "dependency-index", "dependencies are variables that are there",
             "2.2.8", "2.4.8", lenient,
             "the dependencies are taken as not declared: on every input"},
    RuleText{R::dependencies_kind, "dependencies-kind",
             "there are as many kinds of dependencies as dependencies, of the standard's words",
             "2.2.8", "2.4.8", ignored, "kinds of dependencies are not used"},
    RuleText{R::not_a_derivative, "not-a-derivative",
             "the derivatives of the model structure are declared as derivatives", "2.2.8", "2.4.8",
             lenient, not_read},
    RuleText{R::state_unknown, "state-unknown",
             "model exchange: each derivative that the model structure lists is that of a state",
             "2.2.8", "2.4.8", refused, "the states could not be distinguished"},
    RuleText{R::initial_unknown_missing, "initial-unknown-missing",
             "the model structure lists what is calculated at initialization", "2.2.8", "2.4.8",
             lenient, "an output is then taken to depend on every input"},
    RuleText{R::initial_unknown_superfluous, "initial-unknown-superfluous",
             "what the model structure lists is calculated at initialization", "2.2.8", "2.4.8",
             lenient, "what is listed is believed"},
    RuleText{R::event_indicator, "event-indicator", "event indicators are continuous reals", "",
             "2.4.8", lenient, "what is declared is believed"},

    RuleText{R::event_mode_refused, "event-mode-refused",
             "an FMU that has event mode lets itself be instantiated with it", "", "4.2", lenient,
             "it runs without, unless it has clocks"},
    RuleText{R::null_value, "null-value", "strings and binaries are no null pointers",
             "implied by 2.1.7", "implied by 2.2.6", lenient, "the value is taken as empty"},
    RuleText{R::next_event_time, "next-event-time", "the time of the next event is a number",
             "implied by 3.2.2", "implied by 2.3.5", lenient, "no event is expected"},
    RuleText{R::event_info_unfilled, "event-info-unfilled",
             "what an FMU reports about events when it is initialized is filled in",
             "implied by 3.2.2", "", lenient, "it is asked for its events once more"},
    RuleText{R::input_derivatives_refused, "input-derivatives-refused",
             "an FMU that interpolates its inputs takes their derivatives", "4.2.1", "", lenient,
             "inputs are held within steps"},
    RuleText{R::values_unfilled, "values-unfilled",
             "a function that gets several values fills in all of them", "2.1.7", "2.2.6", lenient,
             "each value is read by a call of its own"},
};

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].rule) != i) return false;
    return static_cast<std::size_t>(R::values_unfilled) + 1 == table.size();
}
static_assert(is_in_order(), "the table has each rule once, in the order of the enumeration");

} // namespace

std::string_view to_string(Treatment treatment) {
    switch (treatment) {
    case Treatment::ignored: return "ignored";
    case Treatment::lenient: return "lenient";
    case Treatment::refused: return "refused";
    }
    return "";
}

std::span<const RuleText> rules() { return table; }

const RuleText& text_of(Rule rule) { return table.at(static_cast<std::size_t>(rule)); }

std::string rules_reference() {
    std::string text =
        "| rule | the standard | FMI 2.0 | FMI 3.0 | Rubato |\n|---|---|---|---|---|\n";
    const auto section = [](std::string_view number) { return number.empty() ? "–" : number; };
    for (const RuleText& rule : table)
        text +=
            format("| `{}` | {} | {} | {} | {}: {} |\n", rule.id, rule.meaning, section(rule.fmi2),
                   section(rule.fmi3), to_string(rule.treatment), rule.consequence);
    return text;
}

} // namespace rubato::unit
