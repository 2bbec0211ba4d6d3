// The test language of fuzz, reduce and replays of findings: a recorded session, the plugin of
// tests/peers/ill.cc with one fault, and the files of a campaign.
#pragma once

#include <dirent.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/eventually.h"
#include "tests/lines.h"
#include "tests/paths.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {

struct IllFault {
  const char* mode;
  const char* oracle;
};
inline std::ostream& operator<<(std::ostream& out, const IllFault& fault) {
  return out << fault.mode;
}

class IllTest : public CommandTest {
 protected:
  static std::string Peer() { return PeersFolder() + "/ill"; }

  // What a host sent to a correct plugin.
  std::string Session(bool headers = false) const {
    Tape tape = Tape::Of({"plugin"});
    const auto framed = [&](const std::string& body) {
      return headers ? WithLength(body) : body + "\n";
    };
    tape.Host(framed(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"at":12}})"));
    tape.Plugin(framed(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
    tape.Host(framed(R"({"jsonrpc":"2.0","method":"note","params":{"text":"hello"}})"));
    tape.Host(
        framed(R"({"jsonrpc":"2.0","id":2,"method":"open","params":{"path":"/a","mode":"r"}})"));
    tape.Plugin(framed(R"({"jsonrpc":"2.0","id":2,"result":{"handle":7}})"));
    tape.Host(framed(R"({"jsonrpc":"2.0","id":3,"method":"ping"})"));
    tape.Plugin(framed(R"({"jsonrpc":"2.0","id":3,"result":{}})"));
    tape.Exit(0);
    return Save(headers ? "headers.pcapng" : "session.pcapng", tape.bytes());
  }

  Ran Command(std::vector<std::string> words) const { return Run(std::move(words)); }

  // From the session, with a fixed seed, into Path("fuzz").
  Ran Fuzz(const std::vector<std::string>& options, const std::string& mode,
           const std::vector<std::string>& arguments = {}) const {
    std::vector<std::string> words = {
        "fuzz", "--from", Session(!arguments.empty()), "-o", Path("fuzz"), "--seed", "3"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", Peer(), mode});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return Run(words);
  }
  Ran Replay(const std::string& finding, const std::string& mode,
             const std::vector<std::string>& arguments = {}) const {
    std::vector<std::string> words = {"replay", finding, "--", Peer(), mode};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return Run(words);
  }

  std::vector<std::string> Files(const std::string& folder) const {
    std::vector<std::string> files;
    if (!std::filesystem::exists(Path(folder))) return files;
    for (const auto& file : std::filesystem::directory_iterator(Path(folder))) {
      files.push_back(file.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  std::vector<std::string> Findings() const { return Files("fuzz/findings"); }

  static std::vector<std::string> Lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  // Of the host, as `midwire show` counts them; junk counts too.
  int HostMessages(const std::string& cassette) const {
    const Ran shown = Run({"show", "--color", "never", cassette});
    EXPECT_EQ(shown.code, 0) << shown.err;
    const std::vector<std::string> lines = Lines(shown.out);
    return static_cast<int>(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find(" -> ") != std::string::npos;
    }));
  }

  // Other processes that have this test's folder in their environment, with their state and parent.
  std::vector<std::string> LeftBehind() const {
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      if (name == std::to_string(getpid())) continue;
      const std::string environment = ReadIfThere("/proc/" + name + "/environ");
      if (environment.find("XDG_STATE_HOME=" + folder_) == std::string::npos) continue;
      left.push_back(name + " " + ReadIfThere("/proc/" + name + "/cmdline") + ": " +
                     ReadIfThere("/proc/" + name + "/stat"));
    }
    return left;
  }
};

}  // namespace midwire::tools
