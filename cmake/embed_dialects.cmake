# Run as a script: writes OUTPUT, a C++ file with the texts of all corpora/*/dialect.json below
# CORPORA. All compilers accept string literals up to 64 KiB; longer texts become several.
file(GLOB dialects ${CORPORA}/*/dialect.json)
list(SORT dialects)
set(entries "")
set(count 0)
foreach(dialect ${dialects})
  get_filename_component(folder ${dialect} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  file(READ ${dialect} text)
  string(LENGTH "${text}" length)
  set(literal "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 15000 piece)
    string(APPEND literal "R\"midwire(${piece})midwire\"\n")
    math(EXPR at "${at} + 15000")
  endwhile()
  string(APPEND entries "    {\"${name}\", ${literal}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "// Written by cmake/embed_dialects.cmake.
#include \"wire/dialect/embedded.h\"

namespace midwire::wire {
const EmbeddedText kEmbeddedDialects[] = {
${entries}};
const size_t kEmbeddedDialectCount = ${count};
}  // namespace midwire::wire
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
