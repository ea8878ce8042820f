# Models written with the kit (docs/how-to/write-a-model.md) become FMUs and native models.
#
# rubato_add_model(<name> SOURCES file… [FORMS form…])
#
# One of the sources holds RUBATO_MODEL(<name>, Class). Makes
#   <name>_native                             the model's code, to link into programs
#   <name>_fmu                                the shared library of its FMUs
#   ${PROJECT_BINARY_DIR}/fmus/<form>/<name>.fmu, built with `all` or <name>_fmus, in the FORMS, by default all:
#       fmi1, fmi1_me   FMI 1.0 for co-simulation, and for model exchange
#       fmi2, fmi3      FMI 2.0 and 3.0, for both
#
# rubato_add_model_list(<target> <namespace> model…)
#
# A static library with `const std::vector<const rubato::model::ModelType*>& <namespace>::all()`.

# FMI's names of a platform: of the folder under binaries/ in FMI 1.0 and 2.0, and in FMI 3.0.
function(rubato_fmi_platforms fmi2 fmi3)
    string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
    set(processor ${CMAKE_SYSTEM_PROCESSOR})
    if(processor MATCHES "^(x86_64|AMD64|amd64)$")
        set(${fmi2} ${system}64 PARENT_SCOPE)
        set(processor x86_64)
    elseif(processor MATCHES "^(i.86|x86)$")
        set(${fmi2} ${system}32 PARENT_SCOPE)
        set(processor x86)
    else()
        set(${fmi2} ${processor}-${system} PARENT_SCOPE) # 2.0 names none: as in 3.0
    endif()
    set(${fmi3} ${processor}-${system} PARENT_SCOPE)
endfunction()

function(rubato_add_model name)
    cmake_parse_arguments(ARG "" "" "SOURCES;FORMS" ${ARGN})
    if(NOT ARG_SOURCES)
        message(FATAL_ERROR "rubato_add_model(${name}): name its SOURCES")
    endif()

    # One set of objects for both forms, so that they compute the same to the last bit.
    add_library(${name}_native OBJECT ${ARG_SOURCES})
    target_link_libraries(${name}_native PUBLIC rubato::model)
    target_compile_options(${name}_native PRIVATE -ffp-contract=off)
    set_target_properties(${name}_native PROPERTIES
        POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

    if(NOT ARG_FORMS)
        set(ARG_FORMS fmi1 fmi1_me fmi2 fmi3)
    endif()

    set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}_fmu)
    file(CONFIGURE OUTPUT ${generated}/exported_model.cpp @ONLY CONTENT [[
#include <rubato/model/fmi1_export.hpp>

namespace rubato::model {
struct ModelType;
const ModelType& exported_model();
}
const rubato::model::ModelType& rubato_model_@name@();
const rubato::model::ModelType& rubato::model::exported_model() { return rubato_model_@name@(); }

RUBATO_EXPORT_FMI1(@name@)
]])
    file(CONFIGURE OUTPUT ${generated}/exports.map @ONLY CONTENT [[
{ global: @name@_fmi*; fmi2*; fmi3*; rubato_model_description; local: *; };
]])
    add_library(${name}_fmu SHARED ${generated}/exported_model.cpp)
    target_link_libraries(${name}_fmu PRIVATE ${name}_native
        $<LINK_LIBRARY:WHOLE_ARCHIVE,rubato::model_export>)
    # Self-contained, and nothing to see but the functions of the standard and the description. Not so
    # when leaks are looked for: a C++ library of its own keeps some memory when an FMU is closed.
    if(NOT RUBATO_SANITIZE)
        target_link_options(${name}_fmu PRIVATE -static-libstdc++ -static-libgcc)
    endif()
    target_link_options(${name}_fmu PRIVATE
        -Wl,--as-needed -Wl,--gc-sections -Wl,--version-script=${generated}/exports.map
        $<$<NOT:$<CONFIG:Debug>>:-Wl,--strip-all>)
    set_target_properties(${name}_fmu PROPERTIES
        PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${generated}
        LINK_DEPENDS ${generated}/exports.map)

    rubato_fmi_platforms(fmi2_platform fmi3_platform)
    set(fmus ${PROJECT_BINARY_DIR}/fmus)
    set(files "")
    set(commands "")
    foreach(form IN LISTS ARG_FORMS)
        set(platform ${fmi2_platform})
        if(form STREQUAL fmi3)
            set(platform ${fmi3_platform})
        endif()
        list(APPEND files ${fmus}/${form}/${name}.fmu)
        list(APPEND commands
            COMMAND ${CMAKE_COMMAND} -E make_directory ${fmus}/${form}
            COMMAND rubato::pack ${form} $<TARGET_FILE:${name}_fmu> ${platform} ${fmus}/${form}/${name}.fmu)
    endforeach()
    add_custom_command(
        OUTPUT ${files} ${commands}
        DEPENDS ${name}_fmu rubato::pack
        COMMENT "Packing ${name}.fmu"
        VERBATIM)
    add_custom_target(${name}_fmus ALL DEPENDS ${files})
endfunction()

function(rubato_add_model_list target namespace)
    set(declarations "")
    set(entries "")
    foreach(name IN LISTS ARGN)
        string(APPEND declarations "const rubato::model::ModelType& rubato_model_${name}();\n")
        string(APPEND entries "&rubato_model_${name}(), ")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp @ONLY CONTENT [[
#include <rubato/model/model_type.hpp>

#include <vector>

@declarations@
namespace @namespace@ {
const std::vector<const rubato::model::ModelType*>& all();
const std::vector<const rubato::model::ModelType*>& all() {
    static const std::vector<const rubato::model::ModelType*> models = {@entries@};
    return models;
}
} // namespace @namespace@
]])
    add_library(${target} STATIC ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
    target_link_libraries(${target} PUBLIC rubato::model)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    foreach(name IN LISTS ARGN)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${name}_native>)
    endforeach()
endfunction()
