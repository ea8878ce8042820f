# MPI and METIS, for runs in several processes. RUBATO_HAS_MPI: both are there.
option(RUBATO_MPI "build what runs in several processes, where MPI and METIS are installed" ON)
set(RUBATO_HAS_MPI OFF)
if(RUBATO_MPI)
    find_package(MPI QUIET COMPONENTS CXX)
    find_library(METIS_LIBRARY metis)
    find_path(METIS_INCLUDE_DIR metis.h)
    if(MPI_CXX_FOUND AND METIS_LIBRARY AND METIS_INCLUDE_DIR)
        set(RUBATO_HAS_MPI ON)
    else()
        message(STATUS "MPI or METIS is missing: runs in several processes (mpirun) are not built; "
            "scripts/setup.sh mpi installs both")
    endif()
endif()
