// SPDX-License-Identifier: Apache-2.0

/// The schema of FMI 2.0.4 (fmi2ModelDescription.xsd and what it includes). The attributes that
/// rules of their own speak of (guid, modelIdentifier, name and valueReference of variables, start)
/// are neither required here nor of a kind.

#include "schema.hpp"

namespace rubato::unit {

namespace {

using A = AttributeSchema;
using C = ChildSchema;
using K = AttributeKind;
constexpr bool required = true, anywhere = true;

constexpr A named[] = {{"name", K::text, required}};
constexpr A described[] = {{"name", K::text, required}, {"description"}};

constexpr ElementSchema file = {{{named}}, {}};
constexpr C source_files_children[] = {{"File", &file, Occurs::many}};
constexpr ElementSchema source_files = {{}, source_files_children};
constexpr C interface_children[] = {{"SourceFiles", &source_files}};

constexpr A interface_attributes[] = {
    {"modelIdentifier"},
    {"needsExecutionTool", K::boolean},
    {"canBeInstantiatedOnlyOncePerProcess", K::boolean},
    {"canNotUseMemoryManagementFunctions", K::boolean},
    {"canGetAndSetFMUstate", K::boolean},
    {"canSerializeFMUstate", K::boolean},
    {"providesDirectionalDerivative", K::boolean},
};
constexpr A model_exchange_attributes[] = {{"completedIntegratorStepNotNeeded", K::boolean}};
constexpr A co_simulation_attributes[] = {
    {"canHandleVariableCommunicationStepSize", K::boolean},
    {"canInterpolateInputs", K::boolean},
    {"maxOutputDerivativeOrder", K::index},
    {"canRunAsynchronuously", K::boolean}, // spelled so by the standard
};
constexpr ElementSchema model_exchange = {{{interface_attributes, model_exchange_attributes}},
                                          interface_children};
constexpr ElementSchema co_simulation = {{{interface_attributes, co_simulation_attributes}},
                                         interface_children};

constexpr A base_unit_attributes[] = {
    {"kg", K::integer}, {"m", K::integer},   {"s", K::integer},  {"A", K::integer},
    {"K", K::integer},  {"mol", K::integer}, {"cd", K::integer}, {"rad", K::integer},
};
constexpr A conversion[] = {{"factor", K::number}, {"offset", K::number}};
constexpr ElementSchema base_unit = {{{base_unit_attributes, conversion}}, {}};
constexpr ElementSchema display_unit = {{{named, conversion}}, {}};
constexpr C unit_children[] = {{"BaseUnit", &base_unit},
                               {"DisplayUnit", &display_unit, Occurs::many}};
constexpr ElementSchema unit = {{{named}}, unit_children};
constexpr C units_children[] = {{"Unit", &unit, Occurs::many}};
constexpr ElementSchema units = {{}, units_children};

constexpr A real_attributes[] = {
    {"quantity"},           {"unit"},
    {"displayUnit"},        {"relativeQuantity", K::boolean},
    {"min", K::number},     {"max", K::number},
    {"nominal", K::number}, {"unbounded", K::boolean},
};
constexpr A integer_attributes[] = {{"quantity"}, {"min", K::integer}, {"max", K::integer}};
constexpr A quantity[] = {{"quantity"}};
constexpr A item_attributes[] = {
    {"name", K::text, required}, {"value", K::integer, required}, {"description"}};
constexpr ElementSchema item = {{{item_attributes}}, {}};
constexpr C items[] = {{"Item", &item, Occurs::many}};
constexpr ElementSchema real_type = {{{real_attributes}}, {}};
constexpr ElementSchema integer_type = {{{integer_attributes}}, {}};
constexpr ElementSchema plain_type = {};
constexpr ElementSchema enumeration_type = {{{quantity}}, items};
constexpr C type_children[] = {{"Real", &real_type},
                               {"Integer", &integer_type},
                               {"Boolean", &plain_type},
                               {"String", &plain_type},
                               {"Enumeration", &enumeration_type}};
constexpr ElementSchema simple_type = {{{described}}, type_children};
constexpr C types_children[] = {{"SimpleType", &simple_type, Occurs::many}};
constexpr ElementSchema types = {{}, types_children};

constexpr ElementSchema category = {{{described}}, {}};
constexpr C categories[] = {{"Category", &category, Occurs::many}};
constexpr ElementSchema log_categories = {{}, categories};

constexpr A experiment_attributes[] = {{"startTime", K::number},
                                       {"stopTime", K::number},
                                       {"tolerance", K::number},
                                       {"stepSize", K::number}};
constexpr ElementSchema default_experiment = {{{experiment_attributes}}, {}};

constexpr C tools[] = {{"Tool", nullptr, Occurs::many}};
constexpr ElementSchema annotations = {{}, tools};

constexpr A declared[] = {{"declaredType"}, {"start"}};
constexpr A enumeration_declared[] = {{"declaredType", K::text, required}, {"start"}};
constexpr A state_attributes[] = {{"derivative", K::index}, {"reinit", K::boolean}};
constexpr ElementSchema real = {{{declared, real_attributes, state_attributes}}, {}};
constexpr ElementSchema integer = {{{declared, integer_attributes}}, {}};
constexpr ElementSchema plain = {{{declared}}, {}};
constexpr ElementSchema enumeration = {{{enumeration_declared, integer_attributes}}, {}};
constexpr C variable_children[] = {
    {"Real", &real},    {"Integer", &integer},         {"Boolean", &plain},
    {"String", &plain}, {"Enumeration", &enumeration}, {"Annotations", &annotations}};
constexpr A variable_attributes[] = {
    {"name"},
    {"valueReference", K::index},
    {"description"},
    {"causality"},
    {"variability"},
    {"initial"},
    {"canHandleMultipleSetPerTimeInstant", K::boolean},
};
constexpr ElementSchema scalar_variable = {{{variable_attributes}}, variable_children};
constexpr C scalar_variables[] = {{"ScalarVariable", &scalar_variable, Occurs::many}};
constexpr ElementSchema model_variables = {{}, scalar_variables};

constexpr A unknown_attributes[] = {
    {"index", K::index, required}, {"dependencies", K::indices}, {"dependenciesKind"}};
constexpr ElementSchema unknown = {{{unknown_attributes}}, {}};
constexpr C unknowns[] = {{"Unknown", &unknown, Occurs::many}};
constexpr ElementSchema unknown_list = {{}, unknowns};
constexpr C structure_children[] = {
    {"Outputs", &unknown_list}, {"Derivatives", &unknown_list}, {"InitialUnknowns", &unknown_list}};
constexpr ElementSchema model_structure = {{}, structure_children};

constexpr A root_attributes[] = {
    {"fmiVersion"},
    {"modelName", K::text, required},
    {"guid"},
    {"description"},
    {"author"},
    {"version"},
    {"copyright"},
    {"license"},
    {"generationTool"},
    {"generationDateAndTime", K::date_time},
    {"variableNamingConvention"},
    {"numberOfEventIndicators", K::index},
};
constexpr C root_children[] = {
    {"ModelExchange", &model_exchange, Occurs::optional, anywhere},
    {"CoSimulation", &co_simulation, Occurs::optional, anywhere},
    {"UnitDefinitions", &units},
    {"TypeDefinitions", &types},
    {"LogCategories", &log_categories},
    {"DefaultExperiment", &default_experiment},
    {"VendorAnnotations", &annotations},
    {"ModelVariables", &model_variables, Occurs::once},
    {"ModelStructure", &model_structure, Occurs::once},
};

} // namespace

const ElementSchema fmi2_schema = {{{root_attributes}}, root_children};

} // namespace rubato::unit
