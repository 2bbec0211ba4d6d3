# midwire_add_fuzz_target(NAME name SOURCES file... [LIBRARIES library...] [SEEDS folder] [RUNS count]
#   [TIMEOUT seconds])
#
# Adds a fuzz target of the harness kit (doc/fuzz.md), and a CTest test NAME that plays the files of
# SEEDS to it. Without an engine, the test then tries RUNS mutants (default 1000). The variable
# FUZZING_ENGINE is what an engine is linked with, as -fsanitize=fuzzer; empty: a main that plays files.
# TIMEOUT (default 20): an input that takes longer fails. A relative SEEDS is in the current source folder.
# What fails in the test is saved beside the target as NAME-*. Without a build type, targets are compiled
# with -O1 -g: unoptimised, they run at a fraction of the rate.
#
# find_package(midwire) includes this file.
function(midwire_add_fuzz_target)
  set(one NAME SEEDS RUNS TIMEOUT)
  set(many SOURCES LIBRARIES)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${one}" "${many}")
  set(call "midwire_add_fuzz_target(NAME ${arg_NAME})")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    list(GET arg_UNPARSED_ARGUMENTS 0 first)
    message(FATAL_ERROR "${call}: \"${first}\" belongs to none of ${one};${many}")
  endif()
  if(DEFINED arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${call}: nothing follows ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  foreach(key NAME SOURCES)
    if("${arg_${key}}" STREQUAL "")
      message(FATAL_ERROR "${call}: ${key} is missing")
    endif()
  endforeach()
  foreach(key RUNS TIMEOUT)
    if(DEFINED arg_${key} AND NOT arg_${key} MATCHES "^[0-9]+$")
      message(FATAL_ERROR "${call}: ${key} ${arg_${key}} is not a number")
    endif()
  endforeach()
  if(DEFINED arg_SEEDS)
    get_filename_component(arg_SEEDS "${arg_SEEDS}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    if(NOT IS_DIRECTORY "${arg_SEEDS}")
      message(FATAL_ERROR "${call}: there is no folder ${arg_SEEDS}")
    endif()
  endif()
  if(NOT DEFINED arg_RUNS)
    set(arg_RUNS 1000)
  endif()
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT 20)
  endif()
  if(NOT TARGET midwire::fuzz_main)
    message(FATAL_ERROR "${call}: there is no target midwire::fuzz_main; see find_package(midwire)")
  endif()

  add_executable(${arg_NAME} ${arg_SOURCES})
  if("${CMAKE_BUILD_TYPE}" STREQUAL "" AND NOT CMAKE_CONFIGURATION_TYPES)
    target_compile_options(${arg_NAME} PRIVATE -O1 -g)
  endif()
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES})
  if(FUZZING_ENGINE)
    separate_arguments(engine UNIX_COMMAND "${FUZZING_ENGINE}")
    target_link_libraries(${arg_NAME} PRIVATE midwire::fuzz ${engine})
    set(arg_RUNS 0)  # of libFuzzer: the seeds alone
  else()
    target_link_libraries(${arg_NAME} PRIVATE midwire::fuzz_main)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME} -runs=${arg_RUNS} -timeout=${arg_TIMEOUT}
    -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}- ${arg_SEEDS})
endfunction()
