// Times are microseconds with three decimals, as the format has them; each session is a process,
// each party a thread of it.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include "view/export/export_trace.h"
#include "view/page/strings.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

class PerfettoWriter {
 public:
  explicit PerfettoWriter(const ExportTrace& trace) : trace_(trace) {}

  std::string Write() {
    json_.Open('{');
    json_.Key("displayTimeUnit").Text("ms");
    json_.Key("otherData").Open('{');
    json_.Key("midwire").Text(trace_.version);
    json_.Close('}');
    json_.Key("traceEvents").Open('[');
    for (size_t i = 0; i < trace_.sessions.size(); ++i) Session(i);
    for (size_t i = 0; i < trace_.rows.size(); ++i) Row(i);
    json_.Close(']');
    json_.Close('}');
    out_ += '\n';
    return std::move(out_);
  }

 private:
  void Meta(size_t session, int thread, std::string_view what, std::string_view name) {
    json_.Open('{');
    json_.Key("ph").Text("M");
    json_.Key("name").Text(what);
    json_.Key("pid").Number(session + 1);
    json_.Key("tid").Number(thread);
    json_.Key("args").Open('{');
    json_.Key("name").Text(PageText(name));
    json_.Close('}');
    json_.Close('}');
  }

  void Session(size_t session) {
    const PageSession& from = trace_.sessions[session];
    Meta(session, 1, "process_name", from.title.empty() ? from.trace : from.title);
    Meta(session, 1, "thread_name", "host");
    Meta(session, 2, "thread_name", "plugin");
  }

  void Time(int64_t ns) {
    const bool negative = ns < 0;
    const uint64_t size = negative ? -static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
    std::string text = (negative ? "-" : "") + std::to_string(size / 1000) + ".";
    const std::string rest = std::to_string(size % 1000);
    json_.Key("ts").Raw(text + std::string(3 - rest.size(), '0') + rest);
  }

  // The members that all events have. Leaves the object open.
  void Begin(const char* phase, const ExportRow& row, int64_t at_ns, const std::string& name) {
    json_.Open('{');
    json_.Key("ph").Text(phase);
    json_.Key("cat").Text("jsonrpc");
    json_.Key("name").Text(PageText(name));
    json_.Key("pid").Number(row.session + 1);
    json_.Key("tid").Number(row.direction + 1);
    Time(at_ns);
  }
  void Id(size_t index) { json_.Key("id").Text("0x" + Hex(index + 1)); }
  static std::string Hex(size_t value) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (; value != 0; value >>= 4) text.insert(text.begin(), kDigits[value & 15]);
    return text;
  }

  void Row(size_t index) {
    const ExportRow& row = trace_.rows[index];
    if (row.kind == RowKind::kRequest) {
      Begin("b", row, row.at_ns, NameOf(row));
      Id(index);
      json_.Key("args").Open('{');
      json_.Key("number").Number(row.number);
      if (!row.id.empty()) json_.Key("id").Text(PageText(row.id));
      if (row.answer == kNoExport) json_.Key("unanswered").Bool(true);
      json_.Close('}');
      json_.Close('}');
      if (row.parent != kNoExport) Flow(index, trace_.rows[row.parent], row);
      return;
    }
    const bool answer = row.kind == RowKind::kResponse || row.kind == RowKind::kError;
    if (answer && row.request != kNoExport) {
      const ExportRow& request = trace_.rows[row.request];
      // The end has the call's thread and name, and is not before its begin.
      Begin("e", request, std::max(row.at_ns, request.at_ns), NameOf(request));
      Id(row.request);
      json_.Key("args").Open('{');
      json_.Key("answer").Number(row.number);
      if (row.failed) json_.Key("failure").Text(PageText(row.failure));
      json_.Close('}');
      json_.Close('}');
      return;
    }
    Begin("i", row, row.at_ns, NameOf(row));
    json_.Key("s").Text("t");
    json_.Key("args").Open('{');
    json_.Key("number").Number(row.number);
    json_.Close('}');
    json_.Close('}');
  }

  // An arrow from the call to the reverse call that was made for it.
  void Flow(size_t index, const ExportRow& from, const ExportRow& to) {
    if (from.session != to.session) return;
    Begin("s", from, std::min(from.at_ns, to.at_ns), "reverse call");
    Id(index);
    json_.Close('}');
    Begin("f", to, to.at_ns, "reverse call");
    Id(index);
    json_.Key("bp").Text("e");
    json_.Close('}');
  }

  const ExportTrace& trace_;
  std::string out_;
  wire::JsonWriter json_{&out_};
};

}  // namespace

std::string PerfettoJson(const ExportTrace& trace) { return PerfettoWriter(trace).Write(); }

}  // namespace midwire::view
