# A room is a folder under src/, a namespace and a target. It sees its own headers and those of the
# rooms it names: an include of any other room finds no file. To that end every room's public
# headers are reached through a folder of its own in the build tree.
set(RUBATO_ROOMS "" CACHE INTERNAL "rooms declared so far")

add_library(rubato_private INTERFACE)
target_include_directories(rubato_private INTERFACE ${PROJECT_SOURCE_DIR}/src/private)
target_link_libraries(rubato_private INTERFACE fmt::fmt)

# rubato_room(<name> [COLD] [SOURCES file…] [DEPENDS room…] [PRIVATE library…])
# COLD: see rubato_precompiled.
function(rubato_room name)
    cmake_parse_arguments(ARG "COLD" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
    # Of rubato_private, users of the installed package need the library and not the headers.
    list(TRANSFORM ARG_PRIVATE REPLACE "^rubato_private$" "$<BUILD_INTERFACE:rubato_private>;fmt::fmt")
    set(view ${PROJECT_BINARY_DIR}/rooms/${name}/rubato)
    file(MAKE_DIRECTORY ${view})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/rubato/${name} ${view}/${name} SYMBOLIC)

    set(scope PUBLIC)
    if(ARG_SOURCES)
        add_library(rubato_${name} STATIC ${ARG_SOURCES})
        target_link_libraries(rubato_${name} PRIVATE $<BUILD_INTERFACE:rubato_warnings> ${ARG_PRIVATE})
        # Private headers are named from the room's folder: "loops/newton.hpp".
        target_include_directories(rubato_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
        set_target_properties(rubato_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        rubato_unity(rubato_${name})
        if("fmt::fmt" IN_LIST ARG_PRIVATE)
            set(kind "")
            if(ARG_COLD)
                set(kind COLD)
            endif()
            rubato_precompiled(rubato_${name} ${kind})
        endif()
    else()
        add_library(rubato_${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(rubato_${name} ${scope}
        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/rooms/${name}>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(rubato_${name} ${scope} cxx_std_20)
    foreach(room IN LISTS ARG_DEPENDS)
        target_link_libraries(rubato_${name} ${scope} rubato_${room})
    endforeach()
    set_target_properties(rubato_${name} PROPERTIES EXPORT_NAME ${name})
    add_library(rubato::${name} ALIAS rubato_${name})
    set(RUBATO_ROOMS ${RUBATO_ROOMS} ${name} CACHE INTERNAL "rooms declared so far")
endfunction()
