# midwire_add_replay_test(NAME name TRACE file COMMAND plugin [argument...]
#   [IGNORE [method:]pointer...] [VOLATILE method...] [BIND auto|off|from=to...]
#   [TIMEOUT seconds] [ARGS option...])
#
# Adds a CTest test that plays the host of a recorded session (a tape or a cassette) against a plugin,
# and fails with a report of what differs. A relative TRACE is in the current source folder and must
# exist. COMMAND's first word may be the name of a target; generator expressions work in all of them,
# and no shell reads them. TIMEOUT is how long the plugin may be silent; CTest's limit for the whole
# test is the test property TIMEOUT. ARGS: further options of `midwire replay`.
#
# find_package(midwire) includes this file. doc/replay-in-tests.md has examples.
function(midwire_add_replay_test)
  set(one NAME TRACE TIMEOUT)
  set(many COMMAND IGNORE VOLATILE BIND ARGS)
  # A list does not keep words apart behind one with an open bracket, and scopes may have such values.
  string(ASCII 1 open)
  string(ASCII 2 close)
  foreach(i RANGE ${ARGC})  # to the last, and once more
    string(REPLACE "[" "${open}" ARGV${i} "${ARGV${i}}")
    string(REPLACE "]" "${close}" ARGV${i} "${ARGV${i}}")
  endforeach()
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${one}" "${many}")
  foreach(key ${one})
    if(DEFINED arg_${key})
      string(REPLACE "${open}" "[" arg_${key} "${arg_${key}}")
      string(REPLACE "${close}" "]" arg_${key} "${arg_${key}}")
    endif()
  endforeach()
  set(call "midwire_add_replay_test(NAME ${arg_NAME})")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    list(GET arg_UNPARSED_ARGUMENTS 0 first)
    message(FATAL_ERROR "${call}: \"${first}\" belongs to none of ${one};${many}")
  endif()
  if(DEFINED arg_KEYWORDS_MISSING_VALUES)  # IGNORE counts as false
    message(FATAL_ERROR "${call}: nothing follows ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  foreach(key NAME TRACE COMMAND)
    if("${arg_${key}}" STREQUAL "")
      message(FATAL_ERROR "${call}: ${key} is missing")
    endif()
  endforeach()
  if(DEFINED arg_TIMEOUT AND NOT arg_TIMEOUT MATCHES "^([0-9]+|[0-9]*\\.[0-9]+)$")
    message(FATAL_ERROR "${call}: TIMEOUT ${arg_TIMEOUT} is not a number of seconds")
  endif()
  if(NOT arg_TRACE MATCHES "\\$<" AND NOT IS_ABSOLUTE "${arg_TRACE}")
    set(arg_TRACE "${CMAKE_CURRENT_SOURCE_DIR}/${arg_TRACE}")
    if(NOT EXISTS "${arg_TRACE}")
      message(FATAL_ERROR "${call}: there is no trace ${arg_TRACE}")
    endif()
  endif()
  if(NOT TARGET midwire::command)
    message(FATAL_ERROR "${call}: there is no target midwire::command; see find_package(midwire)")
  endif()

  # Each word in brackets, so that blanks, semicolons and empty words do not change.
  set(words "")
  foreach(key IGNORE VOLATILE BIND)
    string(TOLOWER "${key}" option)
    foreach(word IN LISTS arg_${key})
      string(APPEND words " [==[--${option}=${word}]==]")
    endforeach()
  endforeach()
  if(DEFINED arg_TIMEOUT)
    string(APPEND words " --timeout=${arg_TIMEOUT}s")
  endif()
  foreach(word IN LISTS arg_ARGS)
    string(APPEND words " [==[${word}]==]")
  endforeach()
  string(APPEND words " [==[${arg_TRACE}]==] --")
  set(program TRUE)
  foreach(word IN LISTS arg_COMMAND)
    if(program AND TARGET "${word}")
      set(word "$<TARGET_FILE:${word}>")
    endif()
    set(program FALSE)
    string(APPEND words " [==[${word}]==]")
  endforeach()
  string(REPLACE "${open}" "[" words "${words}")
  string(REPLACE "${close}" "]" words "${words}")
  cmake_language(EVAL CODE
    "add_test(NAME [==[${arg_NAME}]==] COMMAND midwire::command replay ${words})")
endfunction()
