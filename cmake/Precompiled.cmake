# The headers that most sources include, compiled once. g++ spends most of its time reading them: with them
# precompiled a build from scratch takes about half as long. Sources still include what they use: `make lint`
# reads them without this.
#
# rubato_precompiled(<target> [TESTS|COLD]): a library, or with TESTS an executable that uses GoogleTest; both link fmt.
# With COLD the library is optimized less, which compiles a fifth faster: for code that runs once per command, not per step.
option(RUBATO_PRECOMPILE "compile common headers once" ON)

set(RUBATO_COMMON_HEADERS
    <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <optional> <ranges> <set>
    <span> <stdexcept> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h> <fmt/ranges.h>)

function(rubato_precompile_headers owner)
    set(source ${PROJECT_BINARY_DIR}/${owner}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// Generated: carries the precompiled headers.\n")
    add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${owner} PRIVATE rubato_warnings fmt::fmt)
    target_precompile_headers(${owner} PRIVATE
        ${RUBATO_COMMON_HEADERS} ${ARGN})
endfunction()

# For each set of options that g++ must find again one set of headers: its owner, rubato_precompiled_<kind>.
function(rubato_precompiled target)
    if("COLD" IN_LIST ARGN)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:rubato_cold>)
    endif()
    # clang refuses a precompiled header where macros differ, and is used for fuzzing only.
    if(NOT RUBATO_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        return()
    endif()
    if("TESTS" IN_LIST ARGN)
        if(NOT TARGET rubato_precompiled_tests)
            rubato_precompile_headers(rubato_precompiled_tests <gmock/gmock.h> <gtest/gtest.h>)
            target_link_libraries(rubato_precompiled_tests PRIVATE rubato_test_options GTest::gtest GTest::gmock)
        endif()
        target_precompile_headers(${target} REUSE_FROM rubato_precompiled_tests)
    else()
        set(owner rubato_precompiled_rooms)
        if("COLD" IN_LIST ARGN)
            set(owner rubato_precompiled_cold_rooms)
        endif()
        if(NOT TARGET ${owner})
            rubato_precompile_headers(${owner})
            set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE ON)
            if("COLD" IN_LIST ARGN)
                target_link_libraries(${owner} PRIVATE rubato_cold)
            endif()
        endif()
        target_precompile_headers(${target} REUSE_FROM ${owner})
    endif()
endfunction()

# Options of code whose speed does not matter.
add_library(rubato_cold INTERFACE)
target_compile_options(rubato_cold INTERFACE $<$<CONFIG:Release>:-O1>)

# Sources of one folder are compiled together, up to twelve at a time, or MOST: that takes another half. Sources that skip
# precompiled headers do so for a reason, and are compiled alone.
#
# rubato_unity(<target> [ACROSS_FOLDERS] [MOST count]): when all its sources are known, with their properties.
option(RUBATO_UNITY "compile sources of a folder together" ON)

function(rubato_unity target)
    cmake_parse_arguments(ARG "ACROSS_FOLDERS" "MOST" "" ${ARGN})
    set(most 12)
    if(ARG_MOST)
        set(most ${ARG_MOST})
    endif()
    get_target_property(sources ${target} SOURCES)
    list(SORT sources)
    foreach(source IN LISTS sources)
        get_source_file_property(alone ${source} SKIP_PRECOMPILE_HEADERS)
        if(alone)
            continue()
        endif()
        set(folder "")
        if(NOT ARG_ACROSS_FOLDERS)
            cmake_path(GET source PARENT_PATH folder)
        endif()
        string(MAKE_C_IDENTIFIER "in_${folder}" folder)
        if(NOT DEFINED count_${folder})
            set(count_${folder} 0)
        endif()
        math(EXPR group "${count_${folder}} / ${most}")
        math(EXPR count_${folder} "${count_${folder}} + 1")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${RUBATO_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()
