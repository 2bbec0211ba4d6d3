# cpack -G DEB: the packages midwire and midwire-dev. packaging/make calls it; see packaging/README.md.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME midwire)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "midwire maintainers <maintainers@users.noreply.a-seed-3eae2936.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "recorder, checker, replayer and fuzzer for JSON-RPC over stdio")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/deb/compress.cmake)

# What only a package of Debian has. Its times are that of the commit, in SOURCE_DATE_EPOCH.
string(TIMESTAMP midwire_day "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/deb/changelog "midwire (${PROJECT_VERSION}) bookworm; urgency=medium

  * See /usr/share/doc/midwire/CHANGELOG.md of the package midwire.

 -- ${CPACK_PACKAGE_CONTACT}  ${midwire_day}
")
foreach(package midwire midwire-dev)
  install(CODE "execute_process(COMMAND gzip -9n INPUT_FILE ${PROJECT_BINARY_DIR}/deb/changelog
      OUTPUT_FILE ${PROJECT_BINARY_DIR}/deb/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND gzip -9n INPUT_FILE ${PROJECT_BINARY_DIR}/notices
      OUTPUT_FILE ${PROJECT_BINARY_DIR}/deb/NOTICES.gz COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT deb-${package} EXCLUDE_FROM_ALL)
  install(FILES packaging/deb/copyright ${PROJECT_BINARY_DIR}/deb/changelog.gz DESTINATION share/doc/${package}
    COMPONENT deb-${package} EXCLUDE_FROM_ALL)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/deb/NOTICES.gz DESTINATION share/doc/midwire
  COMPONENT deb-midwire EXCLUDE_FROM_ALL)
install(FILES packaging/deb/midwire.overrides DESTINATION share/lintian/overrides RENAME midwire
  COMPONENT deb-midwire EXCLUDE_FROM_ALL)

set(CPACK_COMPONENTS_ALL midwire deb-midwire dev deb-midwire-dev)
set(CPACK_COMPONENT_MIDWIRE_GROUP command)
set(CPACK_COMPONENT_DEB-MIDWIRE_GROUP command)
set(CPACK_COMPONENT_DEV_GROUP dev)
set(CPACK_COMPONENT_DEB-MIDWIRE-DEV_GROUP dev)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME midwire)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION
  "midwire runs between a host and a plugin that exchange JSON-RPC messages
 over stdio. It records both directions, shows and checks the messages,
 replays either side as a test, and fuzzes plugins and hosts.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME midwire-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "midwire (= ${PROJECT_VERSION}), libsodium-dev, libdeflate-dev, libre2-dev, rapidjson-dev")
set(CPACK_DEBIAN_DEV_DESCRIPTION
  "The libraries of midwire with find_package(midwire) for CMake: replay tests
 for CTest, matchers for GoogleTest, fuzz targets for decoders and
 dispatchers.")
include(CPack)
