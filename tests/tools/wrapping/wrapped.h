// The test language of wrap and unwrap: a configuration before and after, as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/wrapping/wrap.h"

namespace midwire::tools {

inline constexpr char kMidwire[] = "/bin/midwire";

inline Config Read(const std::string& text) {
  const Result<Config> config = ReadConfig(text);
  EXPECT_TRUE(config) << (config ? "" : config.error().Text()) << "\n" << text;
  return config ? *config : Config{};
}

// The file after `midwire wrap`, or the error.
inline std::string Wrapped(const std::string& text, const std::vector<std::string>& names = {},
                           const WrapOptions& options = {.midwire = kMidwire}) {
  const auto made = WrapServers(Read(text), names, options);
  return made ? made->bytes : made.error().Text();
}

inline std::string Unwrapped(const std::string& text, bool by_hand = false,
                             const std::vector<std::string>& names = {}) {
  const auto made = UnwrapServers(Read(text), names, by_hand);
  return made ? made->bytes : made.error().Text();
}

// Wrapping gives `after`, and wrapping that changes nothing; unwrapping gives `before`.
inline void ExpectWrapped(const std::string& before, const std::string& after) {
  EXPECT_EQ(Wrapped(before), after);
  EXPECT_EQ(Wrapped(after), after) << "wrapped twice";
  EXPECT_EQ(Unwrapped(after), before) << "unwrapped";
}

}  // namespace midwire::tools
