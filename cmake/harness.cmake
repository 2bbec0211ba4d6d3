# What a harness target links that has no fuzzing engine: midwire::fuzz_main, a main, which brings
# midwire::fuzz. <midwire/fuzz/harness.h> is found in the build tree as where it is installed.
add_library(midwire_fuzz_main STATIC fuzz/harness/main.cc)
add_library(midwire::fuzz_main ALIAS midwire_fuzz_main)
set_target_properties(midwire_fuzz_main PROPERTIES EXPORT_NAME fuzz_main)
target_compile_features(midwire_fuzz_main PUBLIC cxx_std_20)
target_link_libraries(midwire_fuzz_main PUBLIC midwire_fuzz)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/midwire/fuzz/harness.h
  CONTENT "#include \"fuzz/harness.h\"\n")
target_include_directories(midwire_fuzz PUBLIC
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
