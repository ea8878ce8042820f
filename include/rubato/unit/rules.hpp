// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rubato::unit {

/// What the standard demands of an FMU, and people's FMUs do not always keep. In the order of the
/// table of `rules()`.
enum class Rule : std::uint8_t {
    // the archive
    archive_damaged,
    archive_path,
    archive_special_entry,
    archive_duplicate_entry,
    archive_repeated_entry,
    archive_limits,
    description_missing,
    binary_missing,
    library_name,
    platform_folder,
    source_file_missing,
    documentation_index,
    function_missing,
    library_dependency,
    // the XML
    xml_malformed,
    xml_doctype,
    xml_encoding,
    root_element,
    version_unsupported,
    version_spelling,
    unknown_element,
    unknown_attribute,
    missing_element,
    missing_attribute,
    repeated_element,
    element_order,
    malformed_value,
    unknown_word,
    // the model
    guid_missing,
    no_interface,
    model_identifier_missing,
    model_identifier_path,
    model_identifier_syntax,
    capability_conflict,
    default_experiment,
    duplicate_log_category,
    // units and types
    duplicate_unit,
    unit_factor,
    duplicate_type,
    duplicate_item,
    undefined_unit,
    undefined_display_unit,
    undefined_type,
    type_mismatch,
    // variables
    missing_name,
    duplicate_name,
    flat_name,
    structured_name,
    missing_value_reference,
    duplicate_value_reference,
    alias_starts,
    alias_constant,
    alias_unit,
    missing_type,
    independent_variable,
    wrong_variability,
    causality_variability,
    wrong_initial,
    missing_start,
    superfluous_start,
    start_type,
    start_count,
    start_out_of_range,
    start_not_an_item,
    min_above_max,
    nominal_not_positive,
    derivative_index,
    derivative_type,
    multiple_set_flag,
    dimension,
    clock_reference,
    clock_timing,
    // the structure
    output_not_in_model_structure,
    not_an_output,
    structure_index,
    structure_duplicate,
    dependency_index,
    dependencies_kind,
    not_a_derivative,
    state_unknown,
    initial_unknown_missing,
    initial_unknown_superfluous,
    event_indicator,
    // while it runs
    event_mode_refused,
    null_value,
    next_event_time,
    event_info_unfilled,
    input_derivatives_refused,
    values_unfilled,
};

/// Whether FMUs may break those rules that Rubato can do without.
enum class Strictness : std::uint8_t { lenient, strict };

/// What Rubato makes of an FMU that breaks a rule.
enum class Treatment : std::uint8_t {
    ignored, ///< what is wrong is of no use to Rubato
    lenient, ///< it is read as the consequence says
    refused, ///< the FMU cannot be used
};
std::string_view to_string(Treatment treatment);

struct RuleText {
    Rule rule;
    std::string_view id;      ///< what messages and --json call it
    std::string_view meaning; ///< what the standard demands
    /// The section of the standards 2.0.4 and 3.0.2 that says so. Where no sentence does: "schema"
    /// (a remark in it), what implies it, or that it is Rubato's own. Empty: no such rule.
    std::string_view fmi2, fmi3;
    Treatment treatment;
    std::string_view consequence; ///< what an importer, this one, makes of it
};

/// All rules, in the order of their enumeration.
std::span<const RuleText> rules();
const RuleText& text_of(Rule rule);

/// The table of rules as Markdown, for docs/explanation/validation.md.
std::string rules_reference();

} // namespace rubato::unit
