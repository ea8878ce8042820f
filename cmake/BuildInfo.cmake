# rubato_build_info(<target>): what `rubato --version` prints, as <build_info.hpp> and <commit.hpp>.
#
# The commit is asked for in every build, so it is right after a new commit. <commit.hpp> is written only if it has
# changed, and only the source that includes it is then compiled again.
function(rubato_build_info target)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/build_info)
    file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h sundials REGEX "define SUNDIALS_VERSION \"")
    string(REGEX REPLACE "^.*\"(.*)\".*$" "\\1" sundials "${sundials}")
    string(JOIN ", " rubato_libraries
        "SUNDIALS ${sundials} (CVODE, KINSOL)" "CLI11 ${CLI11_VERSION}" "Eigen ${Eigen3_VERSION}" "fmt ${fmt_VERSION}"
        "libzip ${libzip_VERSION}" "nlohmann-json ${nlohmann_json_VERSION}" "pugixml ${pugixml_VERSION}"
        "spdlog ${spdlog_VERSION}" "yaml-cpp ${yaml-cpp_VERSION}")
    set(rubato_build_type "${CMAKE_BUILD_TYPE}")
    if(NOT rubato_build_type)
        set(rubato_build_type "no build type")
    endif()
    if(RUBATO_SANITIZE)
        string(APPEND rubato_build_type " with sanitizers ${RUBATO_SANITIZE}")
    endif()
    configure_file(build_info.hpp.in ${folder}/build_info.hpp @ONLY)

    set(write_commit ${CMAKE_COMMAND} -D source=${PROJECT_SOURCE_DIR} -D output=${folder}/commit.hpp
        -P ${PROJECT_SOURCE_DIR}/cmake/WriteCommit.cmake)
    execute_process(COMMAND ${write_commit} COMMAND_ERROR_IS_FATAL ANY) # for tools that read sources without a build
    add_custom_target(rubato_commit
        COMMAND ${write_commit}
        BYPRODUCTS ${folder}/commit.hpp
        COMMENT "Asking git for the commit"
        VERBATIM)
    add_dependencies(${target} rubato_commit)
    target_include_directories(${target} PRIVATE ${folder})
endfunction()
