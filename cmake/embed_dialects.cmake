# Run as a script: writes OUTPUT, a C++ file with the texts of all corpora/*/dialect.json below
# CORPORA, and their outlines.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/dialect_outline.cmake)
file(GLOB dialects ${CORPORA}/*/dialect.json)
list(SORT dialects)
set(entries "")
set(count 0)
foreach(dialect ${dialects})
  get_filename_component(folder ${dialect} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  file(READ ${dialect} text)
  cpp_literal("${text}" literal)
  dialect_outline("${text}" outline)
  cpp_literal("${outline}" outline_literal)
  string(APPEND entries "    {\"${name}\", ${literal}, ${outline_literal}},\n")
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
