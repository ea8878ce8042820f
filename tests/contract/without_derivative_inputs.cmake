# cmake -D from=a.fmu -D to=b.fmu -D folder=… -P without_derivative_inputs.cmake
#
# The same FMU, but by its model description no input is the derivative of another: inputs move within steps only by being
# set there.
file(REMOVE_RECURSE ${folder})
file(ARCHIVE_EXTRACT INPUT ${from} DESTINATION ${folder})
file(READ ${folder}/modelDescription.xml description)
string(REGEX REPLACE "(causality=\"input\"[^>]*) derivative=\"[0-9]+\"" "\\1" description "${description}")
file(WRITE ${folder}/modelDescription.xml "${description}")
file(GLOB content RELATIVE ${folder} ${folder}/*)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${to} --format=zip ${content}
    WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
