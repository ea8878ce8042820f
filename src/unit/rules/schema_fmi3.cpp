// SPDX-License-Identifier: Apache-2.0

/// The schema of FMI 3.0.2 (fmi3ModelDescription.xsd and what it includes). The attributes that
/// rules of their own speak of (instantiationToken, modelIdentifier, name and valueReference of
/// variables, start) are neither required here nor of a kind.

#include "schema.hpp"

namespace rubato::unit {

namespace {

using A = AttributeSchema;
using C = ChildSchema;
using K = AttributeKind;
constexpr bool required = true, anywhere = true;

constexpr C annotation_children[] = {{"Annotation", nullptr, Occurs::many}};
constexpr ElementSchema annotations = {{}, annotation_children};
constexpr C annotated[] = {{"Annotations", &annotations}};

constexpr A interface_attributes[] = {
    {"modelIdentifier"},
    {"needsExecutionTool", K::boolean},
    {"canBeInstantiatedOnlyOncePerProcess", K::boolean},
    {"canGetAndSetFMUState", K::boolean},
    {"canSerializeFMUState", K::boolean},
    {"providesDirectionalDerivatives", K::boolean},
    {"providesAdjointDerivatives", K::boolean},
    {"providesPerElementDependencies", K::boolean},
};
constexpr A model_exchange_attributes[] = {{"needsCompletedIntegratorStep", K::boolean},
                                           {"providesEvaluateDiscreteStates", K::boolean}};
constexpr A co_simulation_attributes[] = {
    {"canHandleVariableCommunicationStepSize", K::boolean},
    {"fixedInternalStepSize", K::number},
    {"maxOutputDerivativeOrder", K::index},
    {"recommendedIntermediateInputSmoothness", K::integer},
    {"providesIntermediateUpdate", K::boolean},
    {"mightReturnEarlyFromDoStep", K::boolean},
    {"canReturnEarlyAfterIntermediateUpdate", K::boolean},
    {"hasEventMode", K::boolean},
    {"providesEvaluateDiscreteStates", K::boolean},
};
constexpr ElementSchema model_exchange = {{{interface_attributes, model_exchange_attributes}},
                                          annotated};
constexpr ElementSchema co_simulation = {{{interface_attributes, co_simulation_attributes}},
                                         annotated};
constexpr ElementSchema scheduled_execution = {{{interface_attributes}}, annotated};

constexpr A named[] = {{"name", K::text, required}};
constexpr A base_unit_attributes[] = {
    {"kg", K::integer}, {"m", K::integer},   {"s", K::integer},  {"A", K::integer},
    {"K", K::integer},  {"mol", K::integer}, {"cd", K::integer}, {"rad", K::integer},
};
constexpr A conversion[] = {{"factor", K::number}, {"offset", K::number}};
constexpr A inverse[] = {{"inverse", K::boolean}};
constexpr ElementSchema base_unit = {{{base_unit_attributes, conversion}}, {}};
constexpr ElementSchema display_unit = {{{named, conversion, inverse}}, annotated};
constexpr C unit_children[] = {{"BaseUnit", &base_unit},
                               {"DisplayUnit", &display_unit, Occurs::many},
                               {"Annotations", &annotations}};
constexpr ElementSchema unit = {{{named}}, unit_children};
constexpr C units_children[] = {{"Unit", &unit, Occurs::many}};
constexpr ElementSchema units = {{}, units_children};

constexpr A described[] = {{"name", K::text, required}, {"description"}};
constexpr A real_attributes[] = {
    {"quantity"},           {"unit"},
    {"displayUnit"},        {"relativeQuantity", K::boolean},
    {"min", K::number},     {"max", K::number},
    {"nominal", K::number}, {"unbounded", K::boolean},
};
constexpr A integer_attributes[] = {{"quantity"}, {"min", K::integer}, {"max", K::integer}};
constexpr A unsigned_attributes[] = {{"quantity"}, {"min"}, {"max"}}; // UInt64 is beyond integer
constexpr A binary_attributes[] = {{"mimeType"}, {"maxSize"}};
constexpr A clock_attributes[] = {
    {"canBeDeactivated", K::boolean},
    {"priority", K::index},
    {"intervalVariability", K::text, required},
    {"intervalDecimal", K::number},
    {"shiftDecimal", K::number},
    {"supportsFraction", K::boolean},
    {"resolution"},
    {"intervalCounter"},
    {"shiftCounter"},
};
constexpr A item_attributes[] = {
    {"name", K::text, required}, {"value", K::integer, required}, {"description"}};
constexpr ElementSchema item = {{{item_attributes}}, annotated};
constexpr C items[] = {{"Item", &item, Occurs::many}, {"Annotations", &annotations, {}, anywhere}};

constexpr ElementSchema real_type = {{{described, real_attributes}}, annotated};
constexpr ElementSchema integer_type = {{{described, integer_attributes}}, annotated};
constexpr ElementSchema unsigned_type = {{{described, unsigned_attributes}}, annotated};
constexpr ElementSchema plain_type = {{{described}}, annotated};
constexpr ElementSchema binary_type = {{{described, binary_attributes}}, annotated};
constexpr ElementSchema enumeration_type = {{{described, integer_attributes}}, items};
constexpr ElementSchema clock_type = {{{described, clock_attributes}}, annotated};
constexpr C types_children[] = {
    {"Float32Type", &real_type, Occurs::many, anywhere},
    {"Float64Type", &real_type, Occurs::many, anywhere},
    {"Int8Type", &integer_type, Occurs::many, anywhere},
    {"UInt8Type", &integer_type, Occurs::many, anywhere},
    {"Int16Type", &integer_type, Occurs::many, anywhere},
    {"UInt16Type", &integer_type, Occurs::many, anywhere},
    {"Int32Type", &integer_type, Occurs::many, anywhere},
    {"UInt32Type", &integer_type, Occurs::many, anywhere},
    {"Int64Type", &integer_type, Occurs::many, anywhere},
    {"UInt64Type", &unsigned_type, Occurs::many, anywhere},
    {"BooleanType", &plain_type, Occurs::many, anywhere},
    {"StringType", &plain_type, Occurs::many, anywhere},
    {"BinaryType", &binary_type, Occurs::many, anywhere},
    {"EnumerationType", &enumeration_type, Occurs::many, anywhere},
    {"ClockType", &clock_type, Occurs::many, anywhere},
};
constexpr ElementSchema types = {{}, types_children};

constexpr ElementSchema category = {{{described}}, annotated};
constexpr C categories[] = {{"Category", &category, Occurs::many}};
constexpr ElementSchema log_categories = {{}, categories};

constexpr A experiment_attributes[] = {{"startTime", K::number},
                                       {"stopTime", K::number},
                                       {"tolerance", K::number},
                                       {"stepSize", K::number}};
constexpr ElementSchema default_experiment = {{{experiment_attributes}}, annotated};

constexpr A dimension_attributes[] = {{"start", K::integer}, {"valueReference", K::index}};
constexpr ElementSchema dimension = {{{dimension_attributes}}, {}};
constexpr A start_attributes[] = {{"value", K::text, required}};
constexpr ElementSchema start = {{{start_attributes}}, {}};
constexpr A alias_attributes[] = {{"name"}, {"description"}, {"displayUnit"}};
constexpr ElementSchema alias = {{{alias_attributes}}, {}};
constexpr C variable_children[] = {{"Annotations", &annotations},
                                   {"Dimension", &dimension, Occurs::many},
                                   {"Alias", &alias, Occurs::many}};
constexpr C string_children[] = {{"Annotations", &annotations},
                                 {"Dimension", &dimension, Occurs::many},
                                 {"Start", &start, Occurs::many},
                                 {"Alias", &alias, Occurs::many}};
constexpr C clock_children[] = {{"Annotations", &annotations}, {"Alias", &alias, Occurs::many}};

constexpr A variable_attributes[] = {
    {"name"},
    {"valueReference", K::index},
    {"description"},
    {"causality"},
    {"variability"},
    {"canHandleMultipleSetPerTimeInstant", K::boolean},
    {"clocks", K::indices},
};
constexpr A array_attributes[] = {
    {"intermediateUpdate", K::boolean}, {"previous", K::index}, {"initial"}};
constexpr A typed[] = {{"declaredType"}};
constexpr A mandatorily_typed[] = {{"declaredType", K::text, required}};
constexpr A starting[] = {{"start"}};
constexpr A state_attributes[] = {{"derivative", K::index}, {"reinit", K::boolean}};

constexpr ElementSchema real = {
    {{variable_attributes, array_attributes, typed, starting, real_attributes, state_attributes}},
    variable_children};
constexpr ElementSchema integer = {
    {{variable_attributes, array_attributes, typed, starting, integer_attributes}},
    variable_children};
constexpr ElementSchema unsigned_integer = {
    {{variable_attributes, array_attributes, typed, starting, unsigned_attributes}},
    variable_children};
constexpr ElementSchema boolean = {{{variable_attributes, array_attributes, typed, starting}},
                                   variable_children};
constexpr ElementSchema string = {{{variable_attributes, array_attributes, typed}},
                                  string_children};
constexpr ElementSchema binary = {
    {{variable_attributes, array_attributes, typed, binary_attributes}}, string_children};
constexpr ElementSchema enumeration = {
    {{variable_attributes, array_attributes, mandatorily_typed, starting, integer_attributes}},
    variable_children};
constexpr ElementSchema clock = {{{variable_attributes, typed, clock_attributes}}, clock_children};
constexpr C variables_children[] = {
    {"Float32", &real, Occurs::many, anywhere},
    {"Float64", &real, Occurs::many, anywhere},
    {"Int8", &integer, Occurs::many, anywhere},
    {"UInt8", &integer, Occurs::many, anywhere},
    {"Int16", &integer, Occurs::many, anywhere},
    {"UInt16", &integer, Occurs::many, anywhere},
    {"Int32", &integer, Occurs::many, anywhere},
    {"UInt32", &integer, Occurs::many, anywhere},
    {"Int64", &integer, Occurs::many, anywhere},
    {"UInt64", &unsigned_integer, Occurs::many, anywhere},
    {"Boolean", &boolean, Occurs::many, anywhere},
    {"String", &string, Occurs::many, anywhere},
    {"Binary", &binary, Occurs::many, anywhere},
    {"Enumeration", &enumeration, Occurs::many, anywhere},
    {"Clock", &clock, Occurs::many, anywhere},
};
constexpr ElementSchema model_variables = {{}, variables_children};

constexpr A unknown_attributes[] = {
    {"valueReference", K::index, required}, {"dependencies", K::indices}, {"dependenciesKind"}};
constexpr ElementSchema unknown = {{{unknown_attributes}}, annotated};
constexpr C structure_children[] = {
    {"Output", &unknown, Occurs::many},
    {"ContinuousStateDerivative", &unknown, Occurs::many},
    {"ClockedState", &unknown, Occurs::many},
    {"InitialUnknown", &unknown, Occurs::many},
    {"EventIndicator", &unknown, Occurs::many},
};
constexpr ElementSchema model_structure = {{}, structure_children};

constexpr A root_attributes[] = {
    {"fmiVersion"},
    {"modelName", K::text, required},
    {"instantiationToken"},
    {"description"},
    {"author"},
    {"version"},
    {"copyright"},
    {"license"},
    {"generationTool"},
    {"generationDateAndTime", K::date_time},
    {"variableNamingConvention"},
};
constexpr C root_children[] = {
    {"ModelExchange", &model_exchange},
    {"CoSimulation", &co_simulation},
    {"ScheduledExecution", &scheduled_execution},
    {"UnitDefinitions", &units},
    {"TypeDefinitions", &types},
    {"LogCategories", &log_categories},
    {"DefaultExperiment", &default_experiment},
    {"ModelVariables", &model_variables, Occurs::once},
    {"ModelStructure", &model_structure, Occurs::once},
    {"Annotations", &annotations},
};

} // namespace

const ElementSchema fmi3_schema = {{{root_attributes}}, root_children};

} // namespace rubato::unit
