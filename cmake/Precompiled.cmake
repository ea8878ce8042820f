# The headers that most sources include, compiled once. g++ spends most of its time reading them: with them
# precompiled a build from scratch takes about half as long. Sources still include what they use: `make lint`
# reads them without this.
#
# rubato_precompiled(<target> [TESTS]): a library, or with TESTS an executable that uses GoogleTest; both link fmt.
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

function(rubato_precompiled target)
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
        if(NOT TARGET rubato_precompiled_rooms)
            rubato_precompile_headers(rubato_precompiled_rooms)
            set_target_properties(rubato_precompiled_rooms PROPERTIES POSITION_INDEPENDENT_CODE ON)
        endif()
        target_precompile_headers(${target} REUSE_FROM rubato_precompiled_rooms)
    endif()
endfunction()

# Sources of one folder are compiled together, up to twelve at a time: that takes another half. Sources that skip
# precompiled headers do so for a reason, and are compiled alone.
#
# rubato_unity(<target> [ACROSS_FOLDERS]): when all its sources are known, with their properties.
option(RUBATO_UNITY "compile sources of a folder together" ON)

function(rubato_unity target)
    set(most 12)
    get_target_property(sources ${target} SOURCES)
    list(SORT sources)
    foreach(source IN LISTS sources)
        get_source_file_property(alone ${source} SKIP_PRECOMPILE_HEADERS)
        if(alone)
            continue()
        endif()
        set(folder "")
        if(NOT "ACROSS_FOLDERS" IN_LIST ARGN)
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
