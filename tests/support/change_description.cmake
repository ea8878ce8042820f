# cmake -D from=a.fmu -D to=b.fmu -D folder=… -D pattern=… -D replacement=… -P change_description.cmake
#
# The same FMU with another model description: what matches the pattern is replaced.
file(REMOVE_RECURSE ${folder})
file(ARCHIVE_EXTRACT INPUT ${from} DESTINATION ${folder})
file(READ ${folder}/modelDescription.xml description)
string(REGEX REPLACE "${pattern}" "${replacement}" changed "${description}")
if(changed STREQUAL description)
    message(FATAL_ERROR "nothing in the model description of ${from} matches ${pattern}")
endif()
file(WRITE ${folder}/modelDescription.xml "${changed}")
file(GLOB content RELATIVE ${folder} ${folder}/*)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${to} --format=zip ${content}
    WORKING_DIRECTORY ${folder} COMMAND_ERROR_IS_FATAL ANY)
