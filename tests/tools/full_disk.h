// Runs the midwire command where files cannot grow, as on a full disk: for root too.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "tests/paths.h"
#include "tests/tools/command.h"

namespace midwire::tools {

// `command`: midwire's arguments as a shell reads them. `blocks`: the longest file, in units of 512
// bytes. stdout is dropped; stderr comes through a pipe, which has no limit.
inline Ran RunOnFullDisk(const std::string& folder, const std::string& command, int blocks = 0,
                         const std::string& in = "/dev/null") {
  WriteFile(folder + "/limited.sh", "ulimit -f " + std::to_string(blocks) + "\nexec '" +
                                        MidwirePath() + "' " + command + "\n");
  EXPECT_EQ(system(("cd '" + folder + "'; export TMPDIR=.; { sh limited.sh; echo $? > code; } < '" +
                    in + "' 2>&1 > /dev/null | cat > limited.err")
                       .c_str()),
            0);
  return {.code = atoi(ReadFile(folder + "/code").c_str()),
          .out = "",
          .err = ReadFile(folder + "/limited.err")};
}

}  // namespace midwire::tools
