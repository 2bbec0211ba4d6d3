# midwire_room([NAME name] [LINKS library...] [PUBLIC_HEADERS header...] [HEADER_ONLY])
#
# Called by the CMakeLists.txt of each room: makes the static library midwire::<name> of the room's *.cc
# files. The name is NAME, else the folder's path with "_" for "/". LINKS are public.
#
# PUBLIC_HEADERS may be included from other rooms and are installed; the others belong to the room alone.
# tests/layers.py reads these lists and fails on an #include that breaks them.
function(midwire_room)
  cmake_parse_arguments(PARSE_ARGV 0 room "HEADER_ONLY" "NAME" "LINKS;PUBLIC_HEADERS")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(room_NAME)
    set(name ${room_NAME})
  else()
    string(REPLACE "/" "_" name ${folder})
  endif()
  foreach(header IN LISTS room_PUBLIC_HEADERS)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${header})
      message(FATAL_ERROR "${folder}/CMakeLists.txt: no such header: ${header}")
    endif()
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  set(scope PUBLIC)
  if(room_HEADER_ONLY)
    set(scope INTERFACE)
    add_library(midwire_${name} INTERFACE)
  else()
    add_library(midwire_${name} STATIC ${sources})
  endif()
  if(NOT room_HEADER_ONLY)
    midwire_batches(midwire_${name})
  endif()
  add_library(midwire::${name} ALIAS midwire_${name})
  set_target_properties(midwire_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(midwire_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/midwire>)
  target_compile_features(midwire_${name} ${scope} cxx_std_20)
  target_link_libraries(midwire_${name} ${scope} ${room_LINKS})
  set_property(GLOBAL APPEND PROPERTY midwire_rooms ${folder})
  set_property(GLOBAL PROPERTY midwire_room_${folder}_target midwire_${name})
  set_property(GLOBAL PROPERTY midwire_room_${folder}_headers ${room_PUBLIC_HEADERS})
endfunction()

# midwire_batches(target [SIZE n]): compiles the files of the target in batches of n, each as one unit, because most
# files cost less than the headers that they include. All files of a target can be in one batch, so their names in
# unnamed namespaces differ.
function(midwire_batches target)
  cmake_parse_arguments(PARSE_ARGV 1 batch "" "SIZE" "")
  if(NOT batch_SIZE)
    set(batch_SIZE 8)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MIDWIRE_BATCHES} UNITY_BUILD_BATCH_SIZE ${batch_SIZE})
endfunction()
