# cpp_literal(text result): the text as C++ raw string literals, one after the other. All compilers accept literals up
# to 64 KiB; a longer text becomes several.
function(cpp_literal text result)
  string(LENGTH "${text}" length)
  set(literal "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 15000 piece)
    string(APPEND literal "R\"midwire(${piece})midwire\"\n")
    math(EXPR at "${at} + 15000")
  endwhile()
  set(${result} "${literal}" PARENT_SCOPE)
endfunction()
