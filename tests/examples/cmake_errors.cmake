# Wrong calls of the functions of find_package(midwire) must be refused with a message that shows what is
# wrong.
# Usage: cmake -DMODULES=folder -DWORK=... -P cmake_errors.cmake
file(TOUCH ${WORK}/there.jsonl)

function(refused_call function module arguments pattern)
  file(WRITE ${WORK}/call.cmake "include([==[${MODULES}/${module}.cmake]==])\n"
    "${function}(${arguments})\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -P ${WORK}/call.cmake WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE code ERROR_VARIABLE said OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(code EQUAL 0 OR NOT said MATCHES "${pattern}")
    message(SEND_ERROR "${function}(${arguments}) should have said \"${pattern}\": ${said}")
  endif()
endfunction()
function(refused arguments pattern)
  refused_call(midwire_add_replay_test midwireReplay "${arguments}" "${pattern}")
endfunction()
function(refused_target arguments pattern)
  refused_call(midwire_add_fuzz_target midwireFuzz "${arguments}" "${pattern}")
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

refused_target("" "NAME is missing")
refused_target("NAME n" "\\(NAME n\\): SOURCES is missing")
refused_target("NAME n SOURCES a.cc SEEDS" "nothing follows SEEDS")
refused_target("n SOURCES a.cc" "\"n\" belongs to none of")
refused_target("NAME n SOURCES a.cc SEEDS none" "there is no folder .*none")
refused_target("NAME n SOURCES a.cc TIMEOUT 5s" "TIMEOUT 5s is not a number")
refused_target("NAME n SOURCES a.cc" "no target midwire::fuzz_main")
