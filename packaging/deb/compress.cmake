# Run by cpack before it makes the packages: manual pages of Debian are compressed. Those of cmake --install are
# not. Without a name and a time, so that the same pages give the same bytes.
file(GLOB pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/man/man1/*.1)
if(pages)
  execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
