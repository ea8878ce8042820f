// SPDX-License-Identifier: Apache-2.0

/// The schema of FMI 1.0 (fmiModelDescription.xsd of co-simulation, which model exchange is a part
/// of). The attributes that rules of their own speak of (guid, modelIdentifier, name and
/// valueReference of variables, start) are neither required here nor of a kind.

#include "schema.hpp"

namespace rubato::unit {

namespace {

using A = AttributeSchema;
using C = ChildSchema;
using K = AttributeKind;
constexpr bool required = true;

constexpr A display_unit_attributes[] = {
    {"displayUnit", K::text, required}, {"gain", K::number}, {"offset", K::number}};
constexpr ElementSchema display_unit = {{{display_unit_attributes}}, {}};
constexpr C base_unit_children[] = {{"DisplayUnitDefinition", &display_unit, Occurs::many}};
constexpr A base_unit_attributes[] = {{"unit", K::text, required}};
constexpr ElementSchema base_unit = {{{base_unit_attributes}}, base_unit_children};
constexpr C units_children[] = {{"BaseUnit", &base_unit, Occurs::many}};
constexpr ElementSchema units = {{}, units_children};

constexpr A real_attributes[] = {
    {"quantity"},           {"unit"},
    {"displayUnit"},        {"relativeQuantity", K::boolean},
    {"min", K::number},     {"max", K::number},
    {"nominal", K::number},
};
constexpr A integer_attributes[] = {{"quantity"}, {"min", K::integer}, {"max", K::integer}};
constexpr A described[] = {{"name", K::text, required}, {"description"}};
constexpr ElementSchema item = {{{described}}, {}};
constexpr C items[] = {{"Item", &item, Occurs::many}};
constexpr ElementSchema real_type = {{{real_attributes}}, {}};
constexpr ElementSchema integer_type = {{{integer_attributes}}, {}};
constexpr ElementSchema plain_type = {};
constexpr ElementSchema enumeration_type = {{{integer_attributes}}, items};
constexpr C type_children[] = {{"RealType", &real_type},
                               {"IntegerType", &integer_type},
                               {"BooleanType", &plain_type},
                               {"StringType", &plain_type},
                               {"EnumerationType", &enumeration_type}};
constexpr ElementSchema type = {{{described}}, type_children};
constexpr C types_children[] = {{"Type", &type, Occurs::many}};
constexpr ElementSchema types = {{}, types_children};

constexpr A experiment_attributes[] = {
    {"startTime", K::number}, {"stopTime", K::number}, {"tolerance", K::number}};
constexpr ElementSchema default_experiment = {{{experiment_attributes}}, {}};

constexpr C tools[] = {{"Tool", nullptr, Occurs::many}};
constexpr ElementSchema annotations = {{}, tools};

constexpr A declared[] = {{"declaredType"}, {"start"}, {"fixed", K::boolean}};
constexpr A enumeration_declared[] = {
    {"declaredType", K::text, required}, {"start"}, {"fixed", K::boolean}};
constexpr ElementSchema real = {{{declared, real_attributes}}, {}};
constexpr ElementSchema integer = {{{declared, integer_attributes}}, {}};
constexpr ElementSchema plain = {{{declared}}, {}};
constexpr ElementSchema enumeration = {{{enumeration_declared, integer_attributes}}, {}};
constexpr ElementSchema name = {};
constexpr C names[] = {{"Name", &name, Occurs::many}};
constexpr ElementSchema direct_dependency = {{}, names};
constexpr C variable_children[] = {
    {"Real", &real},    {"Integer", &integer},         {"Boolean", &plain},
    {"String", &plain}, {"Enumeration", &enumeration}, {"DirectDependency", &direct_dependency}};
constexpr A variable_attributes[] = {{"name"},        {"valueReference", K::index},
                                     {"description"}, {"variability"},
                                     {"causality"},   {"alias"}};
constexpr ElementSchema scalar_variable = {{{variable_attributes}}, variable_children};
constexpr C scalar_variables[] = {{"ScalarVariable", &scalar_variable, Occurs::many}};
constexpr ElementSchema model_variables = {{}, scalar_variables};

constexpr A capability_attributes[] = {
    {"canHandleVariableCommunicationStepSize", K::boolean},
    {"canHandleEvents", K::boolean},
    {"canRejectSteps", K::boolean},
    {"canInterpolateInputs", K::boolean},
    {"maxOutputDerivativeOrder", K::index},
    {"canRunAsynchronuously", K::boolean}, // spelled so by the standard
    {"canSignalEvents", K::boolean},
    {"canBeInstantiatedOnlyOncePerProcess", K::boolean},
    {"canNotUseMemoryManagementFunctions", K::boolean},
};
constexpr ElementSchema capabilities = {{{capability_attributes}}, {}};
constexpr A file_attributes[] = {{"file", K::text, required}};
constexpr ElementSchema file = {{{file_attributes}}, {}};
constexpr C model_children[] = {{"File", &file, Occurs::many}};
constexpr A model_attributes[] = {
    {"entryPoint", K::text, required}, {"manualStart", K::boolean}, {"type", K::text, required}};
constexpr ElementSchema model = {{{model_attributes}}, model_children};
constexpr C stand_alone_children[] = {{"Capabilities", &capabilities, Occurs::once}};
constexpr C tool_children[] = {{"Capabilities", &capabilities, Occurs::once},
                               {"Model", &model, Occurs::once}};
constexpr ElementSchema stand_alone = {{}, stand_alone_children};
constexpr ElementSchema tool = {{}, tool_children};
constexpr C implementation_children[] = {{"CoSimulation_StandAlone", &stand_alone},
                                         {"CoSimulation_Tool", &tool}};
constexpr ElementSchema implementation = {{}, implementation_children};

constexpr A root_attributes[] = {
    {"fmiVersion"},
    {"modelName", K::text, required},
    {"modelIdentifier"},
    {"guid"},
    {"description"},
    {"author"},
    {"version"},
    {"generationTool"},
    {"generationDateAndTime", K::date_time},
    {"variableNamingConvention"},
    {"numberOfContinuousStates", K::index, required},
    {"numberOfEventIndicators", K::index, required},
};
constexpr C root_children[] = {
    {"UnitDefinitions", &units},
    {"TypeDefinitions", &types},
    {"DefaultExperiment", &default_experiment},
    {"VendorAnnotations", &annotations},
    {"ModelVariables", &model_variables},
    {"Implementation", &implementation},
};

} // namespace

const ElementSchema fmi1_schema = {{{root_attributes}}, root_children};

} // namespace rubato::unit
