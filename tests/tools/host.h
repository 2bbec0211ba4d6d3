// The test language of fuzz --host: a recorded session, the host of tests/peers/host_ill.cc with
// one fault, and its own TMPDIR, which must be empty in the end.
#pragma once

#include <string>
#include <vector>

#include "tests/paths.h"
#include "tests/tools/ill.h"

namespace midwire::tools {

class HostTest : public IllTest {
 protected:
  void SetUp() override {
    IllTest::SetUp();
    std::filesystem::create_directory(Path("tmp"));
    const char* before = getenv("TMPDIR");
    tmpdir_ = before != nullptr ? before : "";
    setenv("TMPDIR", Path("tmp").c_str(), 1);
  }
  // No process and no file may remain, whatever the test.
  void TearDown() override {
    EXPECT_THAT(LeftBehind(), testing::IsEmpty());
    EXPECT_THAT(Files("tmp"), testing::IsEmpty());
    tmpdir_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", tmpdir_.c_str(), 1);
    IllTest::TearDown();
  }

  static std::string Host() { return PeersFolder() + "/host_ill"; }

  // The session of a correct host and a correct plugin.
  std::string SavedSession() const {
    Tape tape = Tape::Of({"plugin"});
    tape.Host(R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":"/a"}})"
              "\n");
    tape.Plugin(R"({"jsonrpc":"2.0","method":"note","params":{"text":"opening"}})"
                "\n");
    tape.Plugin(R"({"jsonrpc":"2.0","id":1,"result":{"handle":"h-1","mode":"r"}})"
                "\n");
    tape.Host(R"({"jsonrpc":"2.0","id":2,"method":"get","params":{"handle":"h-1"}})"
              "\n");
    tape.Plugin(R"({"jsonrpc":"2.0","id":2,"result":{"text":"hello"}})"
                "\n");
    tape.Host(R"({"jsonrpc":"2.0","method":"bye"})"
              "\n");
    tape.Exit(0);
    return Save("said.pcapng", tape.bytes());
  }

  std::vector<std::string> Words(const std::vector<std::string>& options,
                                 const std::vector<std::string>& host) const {
    std::vector<std::string> words = {"fuzz", "--host",     "--from", SavedSession(),
                                      "-o",   Path("fuzz"), "--seed", "4"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("--");
    words.insert(words.end(), host.begin(), host.end());
    return words;
  }
  Ran FuzzThis(const std::vector<std::string>& options,
               const std::vector<std::string>& host) const {
    return Run(Words(options, host));
  }
  Ran FuzzHost(const std::vector<std::string>& options, const std::string& mode) const {
    return FuzzThis(options, {Host(), mode, "exec", "{plugin}"});
  }
  Ran ReplayHost(const std::string& finding, const std::string& mode) const {
    return Run({"replay", finding, "--", Host(), mode, "exec", "{plugin}"});
  }

 private:
  std::string tmpdir_;
};

}  // namespace midwire::tools
