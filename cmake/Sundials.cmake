# A solver of SUNDIALS as one object file of ours, made from the static library that Debian has: every function is
# local to it but those named here, and those are renamed rubato_<solver>_…: FMUs and programs that bring a copy of
# their own, of whatever version, neither see this one nor are seen by it, nor do two of ours see each other.
#
#   rubato_add_sundials(<target> <solver> [MEMORY <prefix>] FUNCTIONS <function>...)
#
# adds the object to a target, with "<solver>_names.hpp", to be included before any header of SUNDIALS. With MEMORY,
# what it allocates goes through <prefix>_malloc, <prefix>_calloc, <prefix>_realloc and <prefix>_free.
function(rubato_add_sundials target solver)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "MEMORY" "FUNCTIONS")
    find_path(SUNDIALS_INCLUDE_DIR sundials/sundials_context.h REQUIRED)
    find_library(SUNDIALS_${solver}_ARCHIVE libsundials_${solver}.a REQUIRED)

    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${solver})
    set(wanted "")
    set(renamed "")
    set(kept "")
    set(names "// Generated: what the functions of our own ${solver} are called.\n#pragma once\n")
    if(arg_MEMORY)
        foreach(function IN ITEMS malloc calloc realloc free)
            string(APPEND renamed "${function} ${arg_MEMORY}_${function}\n")
        endforeach()
    endif()
    foreach(function IN LISTS arg_FUNCTIONS)
        list(APPEND wanted -u ${function})
        string(APPEND renamed "${function} rubato_${solver}_${function}\n")
        string(APPEND kept "rubato_${solver}_${function}\n")
        string(APPEND names "#define ${function} rubato_${solver}_${function}\n")
    endforeach()
    file(CONFIGURE OUTPUT ${folder}/renamed.txt CONTENT "${renamed}")
    file(CONFIGURE OUTPUT ${folder}/kept.txt CONTENT "${kept}")
    file(CONFIGURE OUTPUT ${folder}/${solver}_names.hpp CONTENT "${names}")

    set(object ${folder}/${solver}.o)
    add_custom_command(
        OUTPUT ${object}
        COMMAND ${CMAKE_LINKER} -r ${wanted} ${SUNDIALS_${solver}_ARCHIVE} -o ${folder}/linked.o
        COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${folder}/renamed.txt ${folder}/linked.o ${folder}/renamed.o
        COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${folder}/kept.txt ${folder}/renamed.o ${object}
        DEPENDS ${SUNDIALS_${solver}_ARCHIVE} ${folder}/renamed.txt ${folder}/kept.txt
        COMMENT "Making ${solver} our own"
        VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE ${object})
    target_include_directories(${target} PRIVATE ${folder} ${SUNDIALS_INCLUDE_DIR})
endfunction()
