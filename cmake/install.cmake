# cmake --install: the command, the libraries with their headers, find_package(midwire), doc.
include(CMakePackageConfigHelpers)
set(midwire_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/midwire)

set(midwire_libraries wire trace replay fuzz)
install(TARGETS midwire_wire midwire_trace midwire_replay midwire_fuzz midwire_fuzz_main
  EXPORT midwireTargets)
if(MIDWIRE_COMMAND)
  set_target_properties(midwire PROPERTIES EXPORT_NAME command)
  list(APPEND midwire_libraries proxy tools/kit)
  install(TARGETS midwire midwire_proxy midwire_kit EXPORT midwireTargets)
endif()
foreach(folder ${midwire_libraries})
  get_filename_component(parent ${folder} DIRECTORY)
  # fuzz/live is the command's own.
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/midwire/${parent}
    FILES_MATCHING PATTERN "*.h" PATTERN live EXCLUDE PATTERN coverage EXCLUDE
    PATTERN harness EXCLUDE)
endforeach()

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
install(FILES ${midwire_coverage_runtime} DESTINATION ${CMAKE_INSTALL_LIBDIR}/midwire)

# The completion script is what the command prints: it cannot fall behind the options.
set(midwire_completion ${PROJECT_BINARY_DIR}/completion/midwire)
add_custom_command(OUTPUT ${midwire_completion}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
  COMMAND midwire completion > ${midwire_completion}
  DEPENDS midwire VERBATIM)
add_custom_target(midwire_completion ALL DEPENDS ${midwire_completion})
install(FILES ${midwire_completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
