#include "view/text/sessions_report.h"

#include <algorithm>

#include "view/text/append.h"
#include "view/text/table.h"
#include "wire/json/escape.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using End = ListedSession::End;

// When a session was and how it ended stay for longest beside the name of its file, which is what
// other commands take.
constexpr size_t kStarted = 0, kPlugin = 1, kEnded = 6, kTape = 8;
const std::vector<TableColumn> kSessionColumns = {{.name = "started", .rank = 2},
                                                  {.name = "plugin", .rank = 3, .least = 12},
                                                  {.name = "duration", .number = true, .rank = 6},
                                                  {.name = "messages", .number = true, .rank = 5},
                                                  {.name = "failed", .number = true, .rank = 4},
                                                  {.name = "unanswered", .number = true, .rank = 7},
                                                  {.name = "ended", .rank = 1},
                                                  {.name = "size", .number = true, .rank = 8},
                                                  {.name = "tape", .path = true}};

// Of what the name of each tape says already.
constexpr int kMostRank = 9;

// A name that is longer is cut in its middle: it was given by a person, or its plugin's is long. It
// is cut further to make room for when and how, down to what still tells names apart.
constexpr size_t kMostName = 48, kLeastName = 12;

constexpr size_t kMinutes = sizeof "2026-01-31 14:05" - 1, kYear = sizeof "2026-" - 1;

TableCell Started(const ListedSession& session, OffsetAt offset) {
  if (session.start_ns == 0) return {"-", Paint::kDim};
  TableCell cell;
  AppendUtc(session.start_ns + offset(session.start_ns), &cell.text);
  cell.text.resize(kMinutes);
  cell.text[10] = ' ';
  return cell;
}

TableCell Lasted(const ListedSession& session) {
  if (session.start_ns == 0) return {"-", Paint::kDim};
  constexpr int64_t kSecond = 1'000'000'000;
  const int64_t seconds = session.duration_ns / kSecond;
  TableCell cell;
  if (seconds < 60) {
    AppendDuration(session.duration_ns, &cell.text);
  } else if (seconds < 3600) {
    cell.text = std::to_string(seconds / 60) + "m " + std::to_string(seconds % 60) + "s";
  } else {
    cell.text = std::to_string(seconds / 3600) + "h " + std::to_string(seconds / 60 % 60) + "m";
  }
  return cell;
}

TableCell Count(const ListedSession& session, uint64_t ListedSession::Counts::*member,
                Paint paint) {
  if (!session.counts) return {"-", Paint::kDim};
  const uint64_t count = *session.counts.*member;
  TableCell cell;
  cell.paint = count == 0 ? Paint::kDim : paint;
  AppendGrouped(count, &cell.text);
  return cell;
}

TableCell Ended(const ListedSession& session) {
  switch (session.end) {
    case End::kRunning:
      return {"running", Paint::kGreen};
    case End::kExit: {
      std::string text = session.exit;
      if (text.starts_with("exit by ")) text.erase(0, sizeof "exit by " - 1);
      if (session.crashed) text = "crashed: " + text;
      return {wire::Escaped(text), session.odd_exit ? Paint::kRed : Paint::kNone};
    }
    case End::kCutOff:
      return {"cut off", Paint::kYellow};
    case End::kContinued:
      return {"continued", Paint::kDim};
    case End::kNotStarted:
      return {"cannot start", Paint::kRed};
    case End::kUnknown:
      break;
  }
  return {"-", Paint::kDim};
}

// "999", "1.2K", "34M".
TableCell SizeOf(uint64_t bytes) {
  static constexpr char kUnits[] = "KMGT";
  if (bytes < 1024) return {std::to_string(bytes)};
  size_t unit = 0;
  uint64_t tenths = bytes * 10 / 1024;
  for (; tenths >= 10240 && unit < 3; ++unit) tenths /= 1024;
  std::string text = std::to_string(tenths / 10);
  if (tenths < 100) text += "." + std::to_string(tenths % 10);
  return {text + kUnits[unit]};
}

// "tapes/", if all are in it.
std::string FolderOf(const std::vector<ListedSession>& sessions) {
  if (sessions.empty()) return "";
  const std::string& first = sessions.front().file;
  const std::string folder = first.substr(0, first.rfind('/') + 1);
  for (const ListedSession& session : sessions) {
    if (session.file.substr(0, session.file.rfind('/') + 1) != folder) return "";
  }
  return folder;
}

// Whether its plugin's name is that of the tape, as record names it.
bool IsNamedByTape(const ListedSession& session) {
  const std::string_view name = std::string_view(session.file).substr(session.file.rfind('/') + 1);
  return session.plugin.empty() || name.starts_with(session.plugin + "-");
}

// Whether all times are of one year; then it may be left out.
bool IsOneYear(const std::vector<TableRow>& rows) {
  std::string_view year;
  for (const TableRow& row : rows) {
    const std::string_view started = row[kStarted].text;
    if (started.size() != kMinutes) continue;
    if (!year.empty() && !started.starts_with(year)) return false;
    year = started.substr(0, kYear);
  }
  return true;
}

// Leaves out the year if a column that has gone for want of room gets it then.
void DropYear(const std::vector<TableColumn>& columns, size_t width, std::vector<TableRow>* rows) {
  const auto gone = [&](const std::vector<TableRow>& of) {
    const std::vector<size_t> fit = FitColumns(columns, WidthsOf(columns, of), width);
    return std::count(fit.begin(), fit.end(), 0u);
  };
  if (width == 0 || !IsOneYear(*rows)) return;
  std::vector<TableRow> without = *rows;
  for (TableRow& row : without) {
    if (row[kStarted].text.size() == kMinutes) row[kStarted].text.erase(0, kYear);
  }
  if (gone(without) < gone(*rows)) *rows = std::move(without);
}

constexpr const char* kEndNames[] = {"unknown", "running",   "exit",
                                     "cut off", "continued", "cannot start"};

}  // namespace

void AppendSessionsText(const std::vector<ListedSession>& sessions, OffsetAt offset,
                        const Style& style, std::string* out) {
  using Counts = ListedSession::Counts;
  std::vector<TableRow> rows;
  std::vector<TableColumn> columns = kSessionColumns;
  const std::string folder = style.width == 0 ? "" : FolderOf(sessions);
  size_t longest = kLeastName, ended = 0;
  for (const ListedSession& session : sessions) {
    rows.push_back(
        {Started(session, offset),
         {session.plugin.empty() ? "-" : CutToColumns(session.plugin, kMaxMethodColumns)},
         Lasted(session),
         Count(session, &Counts::messages, Paint::kNone),
         Count(session, &Counts::failed, Paint::kRed),
         Count(session, &Counts::unanswered, Paint::kYellow),
         Ended(session),
         SizeOf(session.bytes),
         {wire::Escaped(std::string_view(session.file).substr(folder.size()))}});
    const std::string_view file = rows.back().back().text;
    const size_t name = ColumnsOf(file.substr(file.rfind('/') + 1));
    longest = std::max(longest, std::min(name, kMostName) + (folder.empty() ? 1 : 0));
    ended = std::max(ended, ColumnsOf(rows.back()[kEnded].text));
  }
  // With a gap before and behind.
  const size_t others = kMinutes - kYear + ended + 4;
  columns[kTape].least =
      std::min(longest, std::max(kLeastName, style.width - std::min(style.width, others)));
  if (!folder.empty()) *out += EndInColumns(folder, style.width - 1) + ":\n";
  if (std::all_of(sessions.begin(), sessions.end(), IsNamedByTape))
    columns[kPlugin].rank = kMostRank;
  DropYear(columns, style.width, &rows);
  AppendTable(columns, rows, style, out);
}

void AppendSessionsJson(const std::vector<ListedSession>& sessions, std::string* out) {
  for (const ListedSession& session : sessions) {
    wire::JsonWriter json(out);
    json.Open('{');
    wire::WriteBytes("file", session.file, &json);
    wire::WriteBytes("plugin", session.plugin, &json);
    json.Key("bytes").Number(session.bytes);
    if (session.start_ns != 0) {
      std::string start;
      AppendUtc(session.start_ns, &start);
      json.Key("start").Text(start);
      json.Key("duration_ns").Number(session.duration_ns);
    }
    if (session.counts) {
      json.Key("messages").Number(session.counts->messages);
      json.Key("failed").Number(session.counts->failed);
      json.Key("unanswered").Number(session.counts->unanswered);
    }
    json.Key("ended").Text(std::string_view(kEndNames[static_cast<int>(session.end)]));
    if (session.end == End::kExit) json.Key("exit").Text(session.exit);
    if (session.crashed) json.Key("crashed").Bool(true);
    json.Close('}');
    *out += '\n';
  }
}

}  // namespace midwire::view
