// Reads the messages of a trace as if today's host had sent and received them. Replaces the
// recorded working directory, home directory and pid by its own, and what --map names. A portable
// cassette's placeholders are expanded. Called for each frame when a trace is loaded, so that
// sending and comparing see today's values only. Pure: today's values are in the declarations.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/paths/placeholders.h"
#include "replay/script/declared.h"
#include "trace/event.h"
#include "trace/report/replay_report.h"
#include "wire/outcome/result.h"

namespace midwire::replay {

// The home directory in a spawn event; of an older trace, as its working directory suggests:
// /home/NAME, /Users/NAME or /root. "": not known.
std::string HomeOf(const trace::SpawnEvent& spawn);

struct MappedFrame {
  std::string_view bytes;
  size_t head = 0;  // bytes before the body
};

class HostMapper {
 public:
  // Keeps the pointer. Sets declared->same_paths with the first frame.
  explicit HostMapper(Declarations* declared) : declared_(declared) {}

  void OnSpawn(const trace::SpawnEvent& spawn);
  // The frame with today's values and the right Content-Length; the same view if it has no recorded
  // one. Valid until the next call. `method`: of an answer, that of its request.
  MappedFrame MapFrame(std::string_view frame, size_t head, size_t tail, std::string_view method);
  std::string_view MapText(std::string_view text);

  // A frame of today with the recorded values, or with placeholders, for --update.
  std::string Restore(std::string_view frame, size_t head);

  // For a mock: a message of the live host, and a frame that is sent to it. A host that names the
  // recorded directories, and not today's, gets the recorded ones back: it is where it was, or has
  // them built in.
  void Watch(std::string_view message);
  std::string_view ForHost(std::string_view frame);

  // Those of declared->maps that name nothing in the trace.
  std::vector<std::string> UnusedMaps() const;
  // A placeholder whose directory is not known today.
  const std::optional<Error>& failure() const { return failure_; }
  // Notes what was replaced, and names the pid, which is another one in each run.
  void Report(trace::ReplayReport* report) const;

 private:
  void Prepare();
  bool MayEdit(std::string_view bytes) const;
  void Edit(std::string_view text, TextEdits* edits);
  void EditBack(std::string_view text, TextEdits* edits) const;
  bool MayHavePid(std::string_view body, std::string_view method) const;
  void EditPids(std::string_view body, std::string_view method, TextEdits* edits);

  Declarations* declared_;
  HostIdentity recorded_;
  bool prepared_ = false;
  PathMap map_, back_;
  std::optional<Placeholders> placeholders_;
  std::vector<bool> used_;  // by pair of map_
  PathMap known_;           // the directories by which a host shows where it is
  std::optional<bool> cwd_is_recorded_, home_is_recorded_;
  std::optional<PathMap> for_host_;
  std::string mapped_;
  uint64_t replaced_ = 0;  // strings
  std::optional<Error> failure_;
};

}  // namespace midwire::replay
