# Installs the build tree, moves what was installed to another folder, then runs the program there, and configures, builds
# and runs this folder's project with nothing but what was installed. Called by ctest with rubato_build, config, generator,
# compiler, launcher, flags and sanitize.
cmake_minimum_required(VERSION 3.25)

set(work ${rubato_build}/consumer)
set(installed_to ${work}/installed)
set(prefix ${work}/moved)
set(build ${work}/build)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH tests)
cmake_path(GET tests PARENT_PATH rubato_source)
file(REMOVE_RECURSE ${work})

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(install_rubato)
    execute_process(COMMAND ${CMAKE_COMMAND} --install ${rubato_build} --config ${config} --prefix ${installed_to}
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    file(RENAME ${installed_to} ${prefix})
    file(GLOB_RECURSE texts ${prefix}/*.cmake ${prefix}/*.hpp)
    foreach(file IN LISTS texts)
        file(READ ${file} text)
        string(FIND "${text}" ${rubato_source} found)
        if(NOT found EQUAL -1)
            message(FATAL_ERROR "${file} names a path of the source or build tree")
        endif()
    endforeach()
endfunction()

function(check_installed_files)
    foreach(file IN ITEMS
            bin/rubato libexec/rubato/rubato-unit libexec/rubato/rubato_pack include/rubato/rubato.hpp
            share/man/man1/rubato.1 share/man/man1/rubato-run.1 share/man/man1/rubato-study-adaptive-order.1
            share/bash-completion/completions/rubato share/zsh/site-functions/_rubato
            share/fish/vendor_completions.d/rubato.fish share/doc/rubato/LICENSE)
        if(NOT EXISTS ${prefix}/${file})
            message(FATAL_ERROR "${file} is not installed")
        endif()
    endforeach()
    # A page for each command, and none else.
    file(GLOB pages RELATIVE ${prefix}/share/man/man1 ${prefix}/share/man/man1/*)
    execute_process(COMMAND ${prefix}/bin/rubato --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
    foreach(page IN LISTS pages)
        string(REGEX REPLACE "^rubato-?([a-z]*).*$" "\\1" command ${page})
        if(NOT help MATCHES "\n  ${command} ")
            message(FATAL_ERROR "${page} is installed, but there is no command ${command}")
        endif()
    endforeach()
endfunction()

# The installed program finds its helper relative to itself; it fails without the helper.
function(run_demo_isolated)
    file(WRITE ${work}/demo.yaml "rubato: 1
units:
  msd1: {fmu: ${rubato_build}/fmus/fmi2/msd1.fmu, isolate: true}
  msd2: {fmu: ${rubato_build}/fmus/fmi3/msd2.fmu, isolate: true}
connections: [msd1.x1 -> msd2.x1, msd1.v1 -> msd2.v1, msd2.Fc -> msd1.Fc]
experiment: {stop: 1, step: 0.1}
")
    set(command ${CMAKE_COMMAND} -E env --unset=RUBATO_UNIT_HELPER
        ${prefix}/bin/rubato run ${work}/demo.yaml --force -o ${work}/demo.csv)
    run(${command})
    file(STRINGS ${work}/demo.csv rows)
    list(LENGTH rows count)
    if(NOT count EQUAL 12)
        message(FATAL_ERROR "the demo has ${count} lines of results, not 12")
    endif()
    file(RENAME ${prefix}/libexec/rubato/rubato-unit ${work}/rubato-unit)
    execute_process(COMMAND ${command} OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE result)
    file(RENAME ${work}/rubato-unit ${prefix}/libexec/rubato/rubato-unit)
    if(result EQUAL 0)
        message(FATAL_ERROR "the demo runs without the installed helper")
    endif()
endfunction()

function(build_consumer)
    run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${build} -G ${generator}
        -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=${config}
        -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher}
        "-DCMAKE_CXX_FLAGS=${flags}" -D RUBATO_SANITIZE=${sanitize})
    run(${CMAKE_COMMAND} --build ${build} --config ${config})
endfunction()

# Runs the scenario with the lower tank as an FMU of that version of FMI.
function(run_scenario fmi)
    file(READ ${CMAKE_CURRENT_LIST_DIR}/two-tanks.yaml scenario)
    string(REPLACE fmi3 ${fmi} scenario "${scenario}")
    file(WRITE ${build}/${fmi}.yaml "${scenario}")
    run(${build}/two_tanks ${build}/${fmi}.yaml ${build}/${fmi}.csv)
    run(${build}/check_levels ${build}/${fmi}.yaml)
endfunction()

# A program that is not installed beside Rubato must know where the helper is; the command finds it.
function(run_isolated)
    file(READ ${CMAKE_CURRENT_LIST_DIR}/two-tanks.yaml scenario)
    string(REPLACE "    inputs:" "    isolate: true\n    inputs:" scenario "${scenario}")
    file(WRITE ${build}/isolated.yaml "${scenario}")
    file(GLOB_RECURSE helper ${prefix}/rubato-unit)
    run(${CMAKE_COMMAND} -E env RUBATO_UNIT_HELPER=${helper}
        ${build}/two_tanks ${build}/isolated.yaml ${build}/isolated.csv)
    run(${CMAKE_COMMAND} -E env RUBATO_UNIT_HELPER=${helper} ${build}/check_levels ${build}/isolated.yaml)
    run(${CMAKE_COMMAND} -E env --unset=RUBATO_UNIT_HELPER
        ${prefix}/bin/rubato simulate ${build}/fmus/fmi2/tank.fmu --isolate --no-record)
endfunction()

# The program of README.md runs where FMUs of `make demo` are.
function(run_program)
    if(EXISTS ${rubato_source}/build/release/fmus/fmi2/msd1.fmu)
        execute_process(COMMAND ${build}/library WORKING_DIRECTORY ${rubato_source} COMMAND_ERROR_IS_FATAL ANY)
    endif()
endfunction()

# A page shows these files, CMakeLists.txt up to what is for the test only.
function(check_documentation page_name)
    file(READ ${rubato_source}/${page_name} page)
    foreach(name IN LISTS ARGN)
        file(READ ${CMAKE_CURRENT_LIST_DIR}/${name} text)
        string(REGEX REPLACE "^// SPDX[^\n]*\n|\n# What else.*$" "" text "${text}")
        string(FIND "${page}" "\n${text}```\n" found)
        if(found EQUAL -1)
            message(FATAL_ERROR "${page_name} does not show tests/consumer/${name} as it is")
        endif()
    endforeach()
endfunction()

check_documentation(docs/how-to/write-a-model.md CMakeLists.txt tank.cpp two-tanks.yaml two_tanks.cpp)
check_documentation(docs/reference/library.md library.cpp)
check_documentation(README.md library.cpp)
install_rubato()
check_installed_files()
run_demo_isolated()
build_consumer()
run_isolated()
run_program()
run_scenario(fmi2)
run_scenario(fmi3)
run(${CMAKE_COMMAND} -E compare_files ${build}/fmi2.csv ${build}/fmi3.csv)
run(${build}/native_models)
run(${prefix}/bin/rubato --version)
run(${prefix}/bin/rubato inspect ${build}/fmus/fmi2/tank.fmu)
