# cmake -D from=a.fmu -D to=b.fmu -D folder=… -P forget_states.cmake
#
# The same FMU, but by its model description unable to save and restore its state.
file(REMOVE_RECURSE ${folder})
file(ARCHIVE_EXTRACT INPUT ${from} DESTINATION ${folder})
file(READ ${folder}/modelDescription.xml description)
string(REGEX REPLACE "(can[A-Za-z]*FMU[Ss]tate)=\"true\"" "\\1=\"false\"" description "${description}")
file(WRITE ${folder}/modelDescription.xml "${description}")
file(GLOB content RELATIVE ${folder} ${folder}/*)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${to} --format=zip ${content}
    WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
