# Run as a script: joins PAGE/index.html, PAGE/style.css and PAGE/scripts/*.js into one text, computes the
# hashes of its Content-Security-Policy, and writes OUTPUT, a C++ file with the text. With HTML, also writes the
# text to that file. The order of scripts is that of their names.

include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)

# SHA-256 of a text in base64, which CMake cannot print itself.
function(sha256_base64 text result)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hex "${text}")
  string(APPEND hex "00")  # 33 bytes: 11 groups of three
  set(encoded "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING ${hex} ${at} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR index "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${index} 1 letter)
      string(APPEND encoded ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${encoded} 0 43 encoded)  # the last letter is of the byte that was added
  set(${result} "${encoded}=" PARENT_SCOPE)
endfunction()

file(READ ${PAGE}/index.html html)
file(READ ${PAGE}/style.css style)
file(GLOB scripts ${PAGE}/scripts/*.js)
list(SORT scripts)
set(script "\n\"use strict\";\n(() => {\n")
foreach(file ${scripts})
  file(READ ${file} text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")
set(style "\n${style}")
sha256_base64("${script}" script_hash)
sha256_base64("${style}" style_hash)
foreach(name STYLE SCRIPT STYLE_HASH SCRIPT_HASH)
  string(TOLOWER ${name} variable)
  string(REPLACE "@MIDWIRE_${name}@" "${${variable}}" html "${html}")
endforeach()

cpp_literal("${html}" literal)
file(WRITE ${OUTPUT}.new "// Written by cmake/embed_page.cmake.
#include \"view/page/embedded.h\"

namespace midwire::view {
const std::string_view kPage = ${literal};
}  // namespace midwire::view
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
if(HTML)
  file(WRITE ${HTML}.new "${html}")
  file(COPY_FILE ${HTML}.new ${HTML} ONLY_IF_DIFFERENT)
endif()
