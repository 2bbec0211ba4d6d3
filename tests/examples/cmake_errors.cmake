# Wrong calls of midwire_add_replay_test must be refused with a message that shows what is wrong.
# Usage: cmake -DMODULE=... -DWORK=... -P cmake_errors.cmake
file(TOUCH ${WORK}/there.jsonl)

function(refused arguments pattern)
  file(WRITE ${WORK}/call.cmake "include([==[${MODULE}]==])\n"
    "midwire_add_replay_test(${arguments})\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -P ${WORK}/call.cmake WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE code ERROR_VARIABLE said OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(code EQUAL 0 OR NOT said MATCHES "${pattern}")
    message(SEND_ERROR "midwire_add_replay_test(${arguments}) should have said \"${pattern}\": ${said}")
  endif()
endfunction()

refused("" "NAME is missing")
refused("NAME n" "\\(NAME n\\): TRACE is missing")
refused("NAME n TRACE there.jsonl" "COMMAND is missing")
refused("NAME n TRACE there.jsonl COMMAND" "nothing follows COMMAND")
refused("NAME n TRACE there.jsonl COMMAND p IGNORE" "nothing follows IGNORE")
refused("n TRACE there.jsonl COMMAND p" "\"n\" belongs to none of")
refused("NAME n TRACE none.jsonl COMMAND p" "there is no trace .*none.jsonl")
refused("NAME n TRACE there.jsonl COMMAND p TIMEOUT soon" "TIMEOUT soon is not a number")
refused("NAME n TRACE there.jsonl COMMAND p TIMEOUT 5s" "TIMEOUT 5s is not a number")
# The call is correct, but there is no midwire.
refused("NAME n TRACE there.jsonl COMMAND p TIMEOUT 0.5" "no target midwire::command")
