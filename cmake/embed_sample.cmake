# Run as a script: writes OUTPUT, a C++ file with the bytes of SAMPLE.
cmake_minimum_required(VERSION 3.25)
file(READ ${SAMPLE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT}.new "// Written by cmake/embed_sample.cmake.
#include \"tools/sample.h\"

namespace midwire::tools {
const unsigned char kSample[] = {${bytes}};
const size_t kSampleSize = sizeof kSample;
}  // namespace midwire::tools
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
