# What `cmake --install` installs: the program with its manual pages and completions, its helper, the binary of exported scenarios, and the package for
# programs that use the library. find_package(rubato) gives rubato::rubato for all that a program needs to run
# scenarios, rubato::models for the models that come with Rubato, and rubato_add_model() with what it
# uses (RubatoModel.cmake). Its headers are the stable ones (docs/reference/library.md). tests/consumer uses it.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rubato)
list(TRANSFORM RUBATO_ROOMS PREPEND rubato_ OUTPUT_VARIABLE room_targets)

# <rubato/rubato.hpp> and the rooms that it includes.
add_library(rubato_umbrella INTERFACE)
target_link_libraries(rubato_umbrella INTERFACE rubato_pipeline)
set_target_properties(rubato_umbrella PROPERTIES EXPORT_NAME rubato)

install(TARGETS ${room_targets} rubato_umbrella rubato_models rubato_model_export EXPORT rubato)
install(TARGETS rubato_pack rubato_unit_helper EXPORT rubato DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/rubato)
install(TARGETS rubato_runtime LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/rubato)
if(TARGET rubato_mpi)
    install(TARGETS rubato_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/rubato)
endif()
if(TARGET rubato_hdf5)
    install(TARGETS rubato_hdf5 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/rubato)
endif()
if(TARGET rubato_hla)
    install(TARGETS rubato_hla LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/rubato)
endif()
install(TARGETS rubato)
# Builds what is installed, and nothing else.
add_custom_target(installable DEPENDS
    ${room_targets} rubato_models rubato_model_export rubato_pack rubato_unit_helper rubato_runtime rubato
    manual $<TARGET_NAME_IF_EXISTS:rubato_mpi> $<TARGET_NAME_IF_EXISTS:rubato_hdf5> $<TARGET_NAME_IF_EXISTS:rubato_hla>)

# Manual pages and completions, as the target `manual` has written them.
set(RUBATO_ZSH_COMPLETION_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
    "folder for the completion of zsh, relative to the prefix")
install(DIRECTORY ${RUBATO_MANUAL_DIR}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${RUBATO_MANUAL_DIR}/bash/rubato DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${RUBATO_MANUAL_DIR}/zsh/_rubato DESTINATION ${RUBATO_ZSH_COMPLETION_DIR})
install(FILES ${RUBATO_MANUAL_DIR}/fish/rubato.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
foreach(header IN ITEMS
        analysis
        core/clock core/diagnostics core/errors core/log core/value
        fmi/fmi1
        model/declare model/fmi1_export model/functions model/member model/model_type
        rubato)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES include/rubato/${header}.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rubato/${folder})
endforeach()
install(FILES models/include/rubato/models.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rubato)

configure_package_config_file(cmake/rubato-config.cmake.in ${PROJECT_BINARY_DIR}/rubato-config.cmake
    INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rubato-config-version.cmake
    COMPATIBILITY SameMinorVersion) # until 1.0
install(FILES ${PROJECT_BINARY_DIR}/rubato-config.cmake ${PROJECT_BINARY_DIR}/rubato-config-version.cmake
    cmake/RubatoModel.cmake DESTINATION ${package_dir})
install(EXPORT rubato NAMESPACE rubato:: FILE rubato-targets.cmake DESTINATION ${package_dir})
