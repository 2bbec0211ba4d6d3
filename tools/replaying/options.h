// Options that replay, mock and diff share: declarations about a trace, how it is played, and the
// form of the report. Parsed before anything runs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "replay/load.h"
#include "replay/play/player.h"
#include "replay/script/declared.h"
#include "replay/script/unused.h"
#include "tools/choose_dialect.h"
#include "trace/report/replay_report.h"
#include "trace/report/session_head.h"
#include "view/text/replay_report.h"
#include "wire/dialect/place_value.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

class ArgumentParser;

struct ParsedDeclarations {
  replay::Declarations declared;
  trace::SessionHead head;                   // the dialect that was named or detected
  std::vector<wire::PlaceValue> background;  // of it
  std::vector<wire::MethodPlace> labels;     // of it
  replay::Unused unused;                     // what the command line declares
};

struct DeclareArguments {
  // Of each kind that is an option, by its path (replay/script/declaration_kinds.h).
  std::map<std::string_view, std::vector<std::string>> texts;
  std::vector<std::string> maps;
  std::string dialect;
  void AddTo(ArgumentParser parser);
  // Of a dialect that is only detected, what identifies values applies (ids, bindings, the host's
  // pid), and not what hides a change (methods and places that are not compared).
  Result<ParsedDeclarations> ParseOptions(const std::vector<std::string>& traces,
                                          Logs logs = Logs::kRefuse) const;
};

// Loads a trace after ParseOptions has looked at it, also one that can be read only once.
Result<std::unique_ptr<replay::Loaded>> LoadTrace(const std::string& path, wire::Direction ours,
                                                  replay::Declarations declared,
                                                  bool keep_stderr = false);

// Prints what the header of a loaded trace has that midwire does not know.
void ReportWarnings(const std::string& trace, const replay::Declarations& declared);
// This process, as the host of a replay. Without its pid: as the plugin of a mock.
replay::HostIdentity CurrentHost(bool with_pid);
// Shows the messages of the trace to `unused`. After the run, or after the other trace: one line
// for each option that names nothing in either.
void LookForUnused(replay::Loaded* loaded, replay::Unused* unused);
void ReportUnused(const replay::Unused& unused);
// One line for each --map that names nothing in the trace.
void ReportUnusedMaps(const replay::Loaded& loaded);

struct PlayArguments {
  std::string order = "causal", timing = "asap";
  std::string timeout;  // "": the default, longer where the recording was
  void AddTo(ArgumentParser parser, bool with_timeout);
  Result<replay::PlayerOptions> ParseOptions() const;
};

struct ReportArguments {
  bool json = false;
  std::string junit, color = "auto";
  void AddTo(ArgumentParser parser);
};

// Reports that the trace cannot be read, also as JUnit. Returns an exit code.
int FailUnreadable(const Error& error, const std::string& verb, const std::string& trace,
                   const ReportArguments& arguments);

// To stdout as text or JSON, and as JUnit XML to a file. Returns an exit code: kFine unless
// something could not be written.
int WriteReport(const trace::ReplayReport& report, const view::ReportContext& context,
                const ReportArguments& arguments);

}  // namespace midwire::tools
