# The Python package of another build folder, as pyproject.toml wants it: one target to build, one component to install.
add_custom_target(python_package)
install(CODE "execute_process(
    COMMAND \"${CMAKE_COMMAND}\" --install \"${RUBATO_BUILT}\" --component python --prefix \"\${CMAKE_INSTALL_PREFIX}\"
    COMMAND_ERROR_IS_FATAL ANY)" COMPONENT python)
