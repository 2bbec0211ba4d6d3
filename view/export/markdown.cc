#include <algorithm>
#include <map>

#include "view/export/export_trace.h"
#include "view/text/append.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

// Rows of a table: a longer issue is not read.
constexpr size_t kMaxListed = 50;

// Text of a peer as code in a cell: no markup, mention or link of it is interpreted.
std::string Code(const std::string& text) {
  if (text.empty()) return "";
  std::string safe;
  for (const char c : wire::Escaped(text)) {
    if (c == '`') {
      safe += '\'';
    } else if (c == '|') {
      safe += "\\|";
    } else {
      safe += c;
    }
  }
  return "`" + safe + "`";
}

std::string Seconds(int64_t ns) {
  std::string text;
  AppendSeconds(ns, &text);
  return text;
}

struct Calls {
  uint64_t count = 0, failed = 0, open = 0;
  std::vector<int64_t> latencies;
};

std::string More(size_t count) {
  return count > kMaxListed ? "\nand " + std::to_string(count - kMaxListed) + " more\n" : "";
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(const ExportTrace& trace) : trace_(trace) {}

  std::string Write() {
    for (const PageSession& session : trace_.sessions) Session(session);
    for (size_t i = 0; i < trace_.rows.size(); ++i) {
      const ExportRow& row = trace_.rows[i];
      if (row.kind == RowKind::kRequest) {
        Calls& calls = calls_[{row.direction, NameOf(row)}];
        ++calls.count;
        const ExportRow* answer = row.answer == kNoExport ? nullptr : &trace_.rows[row.answer];
        if (answer == nullptr) {
          if (row.cancelled) continue;
          ++calls.open;
          open_.push_back(i);
          continue;
        }
        if (answer->failed) ++calls.failed;
        if (!HasTimes(row)) continue;
        calls.latencies.push_back(std::max<int64_t>(0, answer->at_ns - row.at_ns));
      }
      if (row.failed) failed_.push_back(i);
    }
    Table();
    List("Failed", failed_, "| # | at (s) | call | reason |\n| ---: | ---: | --- | --- |\n", true);
    List("Without an answer", open_, "| # | at (s) | call |\n| ---: | ---: | --- |\n", false);
    return std::move(out_);
  }

 private:
  bool HasTimes(const ExportRow& row) const { return trace_.sessions[row.session].start_ns != 0; }

  void Session(const PageSession& session) {
    out_ += "**" + Code(session.title.empty() ? session.trace : session.title) + "**";
    if (!session.dialect.empty()) {
      out_ +=
          ", " + Code(session.dialect + (session.revision.empty() ? "" : " ") + session.revision);
    }
    if (session.start_ns != 0) {
      std::string start;
      AppendUtc(session.start_ns, &start);
      out_ += ", " + Duration(session.duration_ns) + " from " + start;
    }
    if (!session.exit.empty()) out_ += ", " + Code(session.exit);
    if (!session.ended) out_ += ", cut off";
    out_ += "\n\n";
    if (!session.command.empty()) out_ += "    " + wire::Escaped(session.command) + "\n\n";
  }

  void Table() {
    if (calls_.empty()) return;
    out_ +=
        "| call | | count | failed | no answer | median | max |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
    size_t listed = 0;
    for (auto& [key, calls] : calls_) {
      if (++listed > kMaxListed) break;
      std::sort(calls.latencies.begin(), calls.latencies.end());
      const bool any = !calls.latencies.empty();
      out_ += "| " + Code(key.second) + " | " + (key.first == 0 ? "\u2192" : "\u2190") + " | " +
              std::to_string(calls.count) + " | " + std::to_string(calls.failed) + " | " +
              std::to_string(calls.open) + " | " +
              (any ? Duration(calls.latencies[(calls.latencies.size() - 1) / 2]) : "") + " | " +
              (any ? Duration(calls.latencies.back()) : "") + " |\n";
    }
    out_ += More(calls_.size());
  }

  void List(const char* title, const std::vector<size_t>& rows, const char* head, bool reasons) {
    if (rows.empty()) return;
    out_ += std::string("\n") + title + ":\n\n" + head;
    for (size_t i = 0; i < std::min(rows.size(), kMaxListed); ++i) {
      const ExportRow& row = trace_.rows[rows[i]];
      out_ += "| " + std::to_string(row.number) + " | " +
              (HasTimes(row) ? Seconds(row.at_ns) : "") + " | " + Code(NameOf(row)) + " |";
      if (reasons) out_ += " " + Code(row.failure) + " |";
      out_ += '\n';
    }
    out_ += More(rows.size());
  }

  const ExportTrace& trace_;
  std::string out_;
  std::map<std::pair<int, std::string>, Calls> calls_;
  std::vector<size_t> failed_, open_;
};

}  // namespace

std::string MarkdownText(const ExportTrace& trace) { return MarkdownWriter(trace).Write(); }

}  // namespace midwire::view
