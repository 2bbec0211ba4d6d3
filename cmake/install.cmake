# cmake --install: the command, the libraries with their headers, find_package(midwire), doc. Two components, which
# packaging/ ships apart: `midwire` for those that run it, `dev` for those that build with its libraries.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME midwire)
set(midwire_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/midwire)

# Only the command links these, so they are not installed.
get_property(rooms GLOBAL PROPERTY midwire_rooms)
list(REMOVE_ITEM rooms io/http fuzz/live tools tools/console tools/fuzzing tools/replaying tools/reporting
  tools/showing tools/wrapping tools/probing tools/viewing tools/bundling tools/commands)
foreach(room IN LISTS rooms)
  get_property(target GLOBAL PROPERTY midwire_room_${room}_target)
  get_property(headers GLOBAL PROPERTY midwire_room_${room}_headers)
  install(TARGETS ${target} EXPORT midwireTargets COMPONENT dev)
  list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/${room}/)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/midwire/${room} COMPONENT dev)
endforeach()
install(TARGETS midwire_fuzz midwire_fuzz_main EXPORT midwireTargets COMPONENT dev)
install(FILES ${PROJECT_BINARY_DIR}/include/midwire/fuzz/harness.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/midwire/fuzz COMPONENT dev)
if(MIDWIRE_COMMAND)
  set_target_properties(midwire PROPERTIES EXPORT_NAME command)
  install(TARGETS midwire EXPORT midwireTargets)
endif()

install(EXPORT midwireTargets NAMESPACE midwire:: DESTINATION ${midwire_cmake_dir} COMPONENT dev)
configure_package_config_file(cmake/midwireConfig.cmake.in
  ${PROJECT_BINARY_DIR}/midwireConfig.cmake INSTALL_DESTINATION ${midwire_cmake_dir})
# 0.x: a minor version may change a header.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/midwireConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/midwireConfig.cmake
  ${PROJECT_BINARY_DIR}/midwireConfigVersion.cmake cmake/midwireReplay.cmake cmake/midwireFuzz.cmake
  DESTINATION ${midwire_cmake_dir} COMPONENT dev)

# In the folders of the source tree, so that the links between documents work. The rest is what they
# refer to.
install(FILES LICENSE README.md CONTRIBUTING.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY doc DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES tools/packages.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/tools)
install(FILES packaging/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/packaging)
install(DIRECTORY corpora DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN README.md PATTERN dialect.json PATTERN violations.json
  PATTERN "desktop-sidecar/*.py" PATTERN __pycache__ EXCLUDE PATTERN messages EXCLUDE
  PATTERN sessions EXCLUDE)

if(NOT MIDWIRE_COMMAND)
  return()
endif()
install(FILES ${PROJECT_BINARY_DIR}/midwire-cov.o DESTINATION ${CMAKE_INSTALL_LIBDIR}/midwire)

# The sample session of --sample.
install(FILES corpora/mcp/sessions/golden.pcapng DESTINATION ${CMAKE_INSTALL_DATADIR}/midwire
  RENAME sample.pcapng)

# The dissector for Wireshark.
install(FILES packaging/wireshark/midwire.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/midwire)

# The completion scripts and manual pages are printed by the command, so they always match the options.
set(midwire_scripts ${PROJECT_BINARY_DIR}/completion)
set(midwire_man ${PROJECT_BINARY_DIR}/man)
add_custom_command(OUTPUT ${midwire_scripts}/midwire ${midwire_scripts}/_midwire ${midwire_scripts}/midwire.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${midwire_scripts}
  COMMAND midwire completion bash > ${midwire_scripts}/midwire
  COMMAND midwire completion zsh > ${midwire_scripts}/_midwire
  COMMAND midwire completion fish > ${midwire_scripts}/midwire.fish
  DEPENDS midwire VERBATIM)
add_custom_command(OUTPUT ${midwire_man}/midwire.1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${midwire_man}
  COMMAND midwire help --man-pages ${midwire_man}
  DEPENDS midwire VERBATIM)
add_custom_target(midwire_completion ALL DEPENDS ${midwire_scripts}/midwire ${midwire_man}/midwire.1)
install(FILES ${midwire_scripts}/midwire DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${midwire_scripts}/_midwire DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${midwire_scripts}/midwire.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${midwire_man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
