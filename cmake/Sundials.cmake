# SUNDIALS' CVODE as one object file of ours, made from the static library that Debian has:
#
#   - every function is local to it but those listed here, and those are renamed rubato_…: FMUs and programs that
#     bring a copy of their own, of whatever version, neither see this one nor are seen by it;
#   - what it allocates goes through src/unit/me/solver_memory.cpp, which is how a solver's whole state is saved.
#
# rubato_add_cvode(<target>) adds the object to a target, with "cvode_names.hpp", to be included before any header
# of SUNDIALS.
set(RUBATO_CVODE_FUNCTIONS
    CVode CVodeCreate CVodeGetDky CVodeGetRootInfo CVodeInit CVodeReInit CVodeRootInit CVodeSVtolerances
    CVodeSetErrHandlerFn CVodeSetJacFn CVodeSetLinearSolver CVodeSetMaxStep
    CVodeSetNoInactiveRootWarn CVodeSetNonlinearSolver CVodeSetStopTime CVodeSetUserData
    N_VNew_Serial SUNContext_Create SUNDenseMatrix SUNLinSol_Dense SUNNonlinSol_FixedPoint)

function(rubato_add_cvode target)
    find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h REQUIRED)
    find_library(SUNDIALS_CVODE_ARCHIVE libsundials_cvode.a REQUIRED)

    set(folder ${CMAKE_CURRENT_BINARY_DIR}/cvode)
    set(wanted "")
    set(renamed "malloc rubato_solver_malloc\ncalloc rubato_solver_calloc\n")
    string(APPEND renamed "realloc rubato_solver_realloc\nfree rubato_solver_free\n")
    set(kept "")
    set(names "// Generated: what the functions of our own CVODE are called.\n#pragma once\n")
    foreach(function IN LISTS RUBATO_CVODE_FUNCTIONS)
        list(APPEND wanted -u ${function})
        string(APPEND renamed "${function} rubato_${function}\n")
        string(APPEND kept "rubato_${function}\n")
        string(APPEND names "#define ${function} rubato_${function}\n")
    endforeach()
    file(CONFIGURE OUTPUT ${folder}/renamed.txt CONTENT "${renamed}")
    file(CONFIGURE OUTPUT ${folder}/kept.txt CONTENT "${kept}")
    file(CONFIGURE OUTPUT ${folder}/cvode_names.hpp CONTENT "${names}")

    add_custom_command(
        OUTPUT ${folder}/cvode.o
        COMMAND ${CMAKE_LINKER} -r ${wanted} ${SUNDIALS_CVODE_ARCHIVE} -o ${folder}/linked.o
        COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${folder}/renamed.txt ${folder}/linked.o ${folder}/renamed.o
        COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${folder}/kept.txt ${folder}/renamed.o ${folder}/cvode.o
        DEPENDS ${SUNDIALS_CVODE_ARCHIVE} ${folder}/renamed.txt ${folder}/kept.txt
        COMMENT "Making CVODE our own"
        VERBATIM)
    set_source_files_properties(${folder}/cvode.o PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE ${folder}/cvode.o)
    target_include_directories(${target} PRIVATE ${folder} ${SUNDIALS_INCLUDE_DIR})
endfunction()
