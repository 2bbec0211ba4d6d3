// Times are microseconds with three decimals, as the format has them; each session is a process,
// each party a thread of it. Flows are those of the second version (bind_id): the first one (s, f)
// connects slices of threads only, and reports an error for those of calls, which are async.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include "view/export/export_trace.h"
#include "view/page/strings.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

class PerfettoWriter {
 public:
  explicit PerfettoWriter(const ExportTrace& trace)
      : trace_(trace), calls_back_(trace.rows.size()) {
    for (const ExportRow& row : trace.rows) {
      if (ParentOf(row) != kNoExport) calls_back_[row.parent] = true;
    }
  }

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
  // Threads of all sessions have numbers of their own: readers look for names by them alone.
  static size_t ThreadOf(size_t session, size_t direction) { return 2 * session + direction + 1; }

  void Meta(size_t session, size_t direction, std::string_view what, std::string_view name) {
    json_.Open('{');
    json_.Key("ph").Text("M");
    json_.Key("name").Text(what);
    json_.Key("pid").Number(session + 1);
    json_.Key("tid").Number(ThreadOf(session, direction));
    json_.Key("args").Open('{');
    json_.Key("name").Text(PageText(name));
    json_.Close('}');
    json_.Close('}');
  }

  void Session(size_t session) {
    const PageSession& from = trace_.sessions[session];
    Meta(session, 0, "process_name", from.title.empty() ? from.trace : from.title);
    Meta(session, 0, "thread_name", "host");
    Meta(session, 1, "thread_name", "plugin");
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
    json_.Key("tid").Number(ThreadOf(row.session, row.direction));
    Time(at_ns);
  }
  void Id(size_t index, const char* name = "id") { json_.Key(name).Text("0x" + Hex(index + 1)); }
  static std::string Hex(size_t value) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (; value != 0; value >>= 4) text.insert(text.begin(), kDigits[value & 15]);
    return text;
  }

  void Row(size_t index) {
    const ExportRow& row = trace_.rows[index];
    if (row.kind == RowKind::kRequest) {
      const size_t parent = ParentOf(row);
      Begin("b", row, row.at_ns, NameOf(row));
      Id(index);
      if (parent != kNoExport) {
        Id(parent, "bind_id");
        json_.Key("flow_in").Bool(true);
      } else if (calls_back_[index]) {
        FlowOut(index);
      }
      json_.Key("args").Open('{');
      json_.Key("number").Number(row.number);
      if (!row.id.empty()) json_.Key("id").Text(PageText(row.id));
      if (row.answer == kNoExport) json_.Key(row.cancelled ? "cancelled" : "unanswered").Bool(true);
      json_.Close('}');
      json_.Close('}');
      if (parent != kNoExport && calls_back_[index]) {
        // An event has one flow: that to its own reverse calls begins at an instant in its bar.
        Begin("n", row, row.at_ns, NameOf(row));
        Id(index);
        FlowOut(index);
        json_.Close('}');
      }
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

  // The call that a reverse call was made for.
  size_t ParentOf(const ExportRow& row) const {
    if (row.kind != RowKind::kRequest || row.parent == kNoExport) return kNoExport;
    const ExportRow& parent = trace_.rows[row.parent];
    const bool earlier = parent.session == row.session && parent.at_ns <= row.at_ns;
    return earlier && parent.kind == RowKind::kRequest ? row.parent : kNoExport;
  }
  void FlowOut(size_t index) {
    Id(index, "bind_id");
    json_.Key("flow_out").Bool(true);
  }

  const ExportTrace& trace_;
  std::vector<bool> calls_back_;  // by row: it has reverse calls
  std::string out_;
  wire::JsonWriter json_{&out_};
};

}  // namespace

std::string PerfettoJson(const ExportTrace& trace) { return PerfettoWriter(trace).Write(); }

}  // namespace midwire::view
