# cmake --install: the command, the libraries with their headers, find_package(midwire), doc.
include(CMakePackageConfigHelpers)
set(midwire_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/midwire)

# Only the command links fuzz/live and tools, so they are not installed.
get_property(rooms GLOBAL PROPERTY midwire_rooms)
list(REMOVE_ITEM rooms fuzz/live tools tools/fuzzing tools/replaying tools/commands)
foreach(room IN LISTS rooms)
  get_property(target GLOBAL PROPERTY midwire_room_${room}_target)
  get_property(headers GLOBAL PROPERTY midwire_room_${room}_headers)
  install(TARGETS ${target} EXPORT midwireTargets)
  list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/${room}/)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/midwire/${room})
endforeach()
install(TARGETS midwire_fuzz midwire_fuzz_main EXPORT midwireTargets)
install(FILES ${PROJECT_BINARY_DIR}/include/midwire/fuzz/harness.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/midwire/fuzz)
if(MIDWIRE_COMMAND)
  set_target_properties(midwire PROPERTIES EXPORT_NAME command)
  install(TARGETS midwire EXPORT midwireTargets)
endif()

install(EXPORT midwireTargets NAMESPACE midwire:: DESTINATION ${midwire_cmake_dir})
configure_package_config_file(cmake/midwireConfig.cmake.in
  ${PROJECT_BINARY_DIR}/midwireConfig.cmake INSTALL_DESTINATION ${midwire_cmake_dir})
# 0.x: a minor version may change a header.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/midwireConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/midwireConfig.cmake
  ${PROJECT_BINARY_DIR}/midwireConfigVersion.cmake cmake/midwireReplay.cmake
  DESTINATION ${midwire_cmake_dir})

install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(NOT MIDWIRE_COMMAND)
  return()
endif()
install(FILES ${PROJECT_BINARY_DIR}/midwire-cov.o DESTINATION ${CMAKE_INSTALL_LIBDIR}/midwire)

# The completion script is printed by the command, so it always matches the options.
set(midwire_completion ${PROJECT_BINARY_DIR}/completion/midwire)
add_custom_command(OUTPUT ${midwire_completion}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
  COMMAND midwire completion > ${midwire_completion}
  DEPENDS midwire VERBATIM)
add_custom_target(midwire_completion ALL DEPENDS ${midwire_completion})
install(FILES ${midwire_completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
