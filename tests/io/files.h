// A fixture with a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/files.h"

namespace midwire::io {

class FolderTest : public testing::Test {
 protected:
  const std::string& folder() const { return folder_.path(); }
  std::string Path(const std::string& name) const { return folder() + "/" + name; }

 private:
  TemporaryFolder folder_;
};

}  // namespace midwire::io
