// All that a page shows of its traces, as values, and their JSON (view/page/DATA.md). Filled by
// tools/reporting. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/report/replay_report.h"
#include "trace/report/violation.h"
#include "view/page/rows.h"

namespace midwire::view {

// Rows of a page are named by their RowId here; those that the page does not have are left out.

// A check of a session, which the findings have the results of.
struct PageCheck {
  std::string dialect;
  size_t rules = 0;
  bool incomplete = false;
};

struct PageSession {
  std::string trace, title, command, cwd, dialect, revision;
  std::string sureness;      // of a dialect that was detected: "certain", "likely", "a guess"
  RowId first = 0, end = 0;  // its rows: first <= id < end
  int64_t start_ns = 0;      // Unix time of its first record; 0: the trace has no times
  int64_t duration_ns = 0;
  bool ended = false;
  std::string exit;      // "exit 0"; "": not known
  bool crashed = false;  // that was a fault, or it could not be started
  std::string log;       // of a log that was imported: what it is, and what it lacks
  bool other = false;    // of the second trace of a comparison
  std::optional<PageCheck> check{};
};

struct PageHandle {
  enum class Use : uint8_t { kMade, kUsed, kReleased };
  std::string name, value;
  std::vector<std::pair<RowId, Use>> uses;  // ascending
};

enum class FindingSource : uint8_t { kCheck, kFuzz, kReplay };

struct PageFinding {
  trace::Violation violation{};
  FindingSource source = FindingSource::kCheck;
  RowId row = kNoRow;
  trace::ItemChanges items{};  // of a replay
  size_t session = 0;          // its place in PageIndex::sessions
};

// Caps of lists, as DATA.md has them: longer ones are not read.
inline constexpr size_t kMaxPageSessions = 1000, kMaxPageHandles = 10'000, kMaxHandleUses = 1000;
inline constexpr size_t kMaxPageFindings = 10'000, kMaxPageNotes = 100;

// A replay of the trace, of which the findings have the differences.
struct PageReplay {
  std::string verb;  // "replay", "mock", "diff"
  bool same = false;
  uint64_t matched = 0, expected = 0;  // messages of the peer
};

struct PageCompare {
  struct Change {
    trace::Difference difference;
    RowId a = kNoRow, b = kNoRow;
  };
  std::vector<std::pair<RowId, RowId>> pairs;  // in the order to show them
  std::vector<Change> changes;
  uint64_t more = 0;
};

// A trace file that the page offers for saving: where it is in the blob.
struct PageSave {
  std::string name;
  uint64_t from = 0, length = 0;
};

struct PageIndex {
  std::string version;  // of midwire
  Rows rows;
  std::vector<PageSession> sessions;
  std::vector<PageHandle> handles;
  std::vector<PageFinding> findings;
  std::optional<PageReplay> replay;
  std::optional<PageCompare> compare;
  std::optional<PageSave> save;
  std::vector<std::string> notes;
};

// The JSON of the index of the whole page.
std::string IndexJson(const PageIndex& index);

// A part of a trace that the live view asks for: rows `from` up to `to`.
struct PagePiece {
  size_t from = 0, to = 0;
  bool live = false;   // more rows may come
  int64_t now_ns = 0;  // since the session began
};
std::string PieceJson(const PageIndex& index, const PagePiece& piece);

// The data of events of the live view, for a page whose first row is `base`. The events are rows
// that follow those that it has, and a session of which something has changed.
std::string RowsEvent(const PageIndex& index, const PagePiece& piece, size_t base);
std::string SessionEvent(const PageIndex& index, const PageSession& session, size_t base);
// Flags of rows that the page has and that got more: those of Rows::flagged() from `from` up to
// `to`. "": the page has none of them.
std::string FlagsEvent(const PageIndex& index, size_t from, size_t to, size_t base, size_t end);

}  // namespace midwire::view
