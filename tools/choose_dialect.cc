#include "tools/choose_dialect.h"

#include <utility>

#include "tools/console/diagnostics.h"
#include "tools/import_log.h"
#include "tools/load_dialect.h"
#include "tools/read_ahead.h"
#include "trace/reader.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::tools {
namespace {

// Bytes that are read at most for an opening: a few large messages may come first.
constexpr size_t kMaxOpening = 16u << 20;

// Passes the first messages of a trace on.
Status ReadOpening(const std::string& path, Logs logs, trace::SessionHandler* handler,
                   const bool& enough) {
  auto reader = LookAtTrace(path);
  OpenedLog log;
  if (!reader) {
    if (logs == Logs::kRefuse || !IsLog(reader.error(), path)) {
      return WithImport(reader.error(), path);
    }
    Result<OpenedLog> opened = OpenLog(path);
    if (!opened) return opened.error();
    log = std::move(*opened);
    reader = std::move(log.reader);
  }
  trace::Session session(handler, trace::Opening::kMaxBody);
  trace::Record record;
  for (size_t bytes = 0; bytes < kMaxOpening && !enough;) {
    const Result<trace::Step> step = (*reader)->Next(&record);
    if (!step || *step == trace::Step::kWait) break;  // the command itself reports what is wrong
    if (*step == trace::Step::kSection) session.OnSection();
    if (*step == trace::Step::kDamage) session.OnGap();
    if (*step != trace::Step::kRecord) continue;
    session.OnRecord(record);
    bytes += record.head.size() + record.body.size();
  }
  if (!enough) session.OnEnd();
  return Ok{};
}

// Collects the first messages, and knows when there are enough.
class Collector : public trace::SessionHandler {
 public:
  void OnMessage(const trace::RecordedMessage& message) override {
    opening.OnMessage(message);
    enough = opening.full();
  }
  void OnElement(const trace::RecordedMessage& element) override { opening.OnElement(element); }
  trace::Opening opening;
  bool enough = false;
};

// ", detected (certain: ...)".
std::string ReasonsOf(const trace::Detection& detection) {
  const std::string sure = detection.Text();
  return ", detected " + sure.substr(sure.find(' ') + 1);
}

// Looks at the first messages. What is wrong with a pipe is left to the command, which opens it.
Status Look(const std::string& path, Logs logs, trace::SessionHandler* handler,
            const bool& enough) {
  const Status read = ReadOpening(path, logs, handler, enough);
  return IsRegular(path) ? read : Status(Ok{});
}

// Reads what the first session of a trace agrees on, if it may be looked at, and selects its
// revision.
Status UseAgreement(const std::string& path, Logs logs, bool look, ChosenDialect* chosen) {
  wire::Dialect* const dialect = chosen->dialect.get();
  chosen->head.dialect = dialect->name;
  chosen->head.revision = dialect->revision;
  if (chosen->detected) chosen->head.sureness = chosen->detection.SurenessText();
  if (!look) return Ok{};
  Agreement agreement(dialect);
  if (const Status read = Look(path, logs, &agreement, agreement.enough); !read) return read;
  agreement.Fill(&chosen->head);
  if (dialect->revisions.empty()) return Ok{};
  wire::Dialect revision = *agreement.dialect();
  revision.revisions = std::move(dialect->revisions);
  *dialect = std::move(revision);
  return Ok{};
}

}  // namespace

Agreement::Agreement(const wire::Dialect* dialect)
    : revisions_(!dialect->revisions.empty()), negotiated_(dialect), capabilities_(dialect) {}

void Agreement::OnMessage(const trace::RecordedMessage& recorded) {
  const std::string_view body = wire::Trimmed(recorded.frame->body());
  const bool json = recorded.frame->whole() && wire::IsLooseJson(body);
  const wire::OpenRequest* request = recorded.request ? &*recorded.request : nullptr;
  const trace::NegotiationInput input = {.message = recorded.message,
                                         .method = request != nullptr
                                                       ? std::string_view(request->method)
                                                       : std::string_view(recorded.message->method),
                                         .body = json ? body : std::string_view(),
                                         .number = recorded.number,
                                         .request = request};
  negotiated_.OnMessage(input);
  capabilities_.OnMessage(recorded.direction, input);
  enough = ++messages_ >= trace::Opening::kMessages;
}

bool Agreement::offered() const {
  if (revisions_) return negotiated_.how() >= trace::Negotiated::How::kOffered;
  return !capabilities_.of(wire::Direction::kHostToPlugin).empty();
}

bool Agreement::agreed() const {
  if (revisions_) return negotiated_.how() >= trace::Negotiated::How::kAgreed;
  return !capabilities_.of(wire::Direction::kPluginToHost).empty();
}

void Agreement::Fill(trace::SessionHead* head) const {
  for (const wire::Direction party :
       {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
    head->capabilities[static_cast<int>(party)] = capabilities_.of(party);
  }
  if (!revisions_) return;
  head->agreed = agreed();
  head->revision = negotiated_.current()->revision;
}

std::string ChosenDialect::Text() const {
  if (dialect == nullptr) return "no dialect";
  std::string text = "dialect " + wire::Escaped(name);
  if (!dialect->revision.empty()) text += ", revision " + wire::Escaped(dialect->revision);
  if (!detected) return text;
  return text + ReasonsOf(detection);
}

std::string DetectedText(const trace::Detection& detection, const std::string& revisions) {
  std::string text = "dialect " + detection.name();
  if (!revisions.empty()) text += ", revision " + wire::Escaped(revisions);
  return text + ReasonsOf(detection);
}

void ReportDetected(const ChosenDialect& chosen, const std::string& trace) {
  if (!chosen.detected) return;
  ReportNote((trace.empty() ? "" : trace + ": ") + chosen.Text() +
             "; use --dialect to name another, or none");
}

Result<trace::Detection> DetectTrace(const std::string& path) {
  Collector collector;
  const Status read = ReadOpening(path, Logs::kRefuse, &collector, collector.enough);
  if (!read) return read.error();
  return trace::Detect(collector.opening, trace::BuiltInOutlines());
}

std::optional<wire::Framing> ExpectedFraming(const std::string& trace) {
  const Result<trace::Detection> detection = DetectTrace(trace);
  if (!detection || detection->dialect == nullptr) return {};
  return detection->dialect->framing;
}

Result<ChosenDialect> ChooseDialect(const std::string& name, const std::vector<std::string>& traces,
                                    bool strict, Logs logs, Pipes pipes) {
  const auto looks = [&](const std::string& path) {
    return pipes == Pipes::kReadAhead || IsRegular(path);
  };
  ChosenDialect chosen;
  if (name == "none") return chosen;
  chosen.name = name;
  if (name.empty()) {
    Collector collector;
    for (const std::string& path : traces) {
      if (collector.enough || !looks(path)) continue;
      if (const Status read = Look(path, logs, &collector, collector.enough); !read) {
        return read.error();
      }
    }
    chosen.detection = trace::Detect(collector.opening, trace::BuiltInOutlines());
    if (chosen.detection.dialect == nullptr) return chosen;
    chosen.detected = true;
    chosen.name = chosen.detection.name();
  }
  Result<wire::Dialect> dialect = LoadNamedDialect(chosen.name, strict);
  if (!dialect) return dialect.error();
  chosen.dialect = std::make_unique<wire::Dialect>(std::move(*dialect));
  // Sessions of one plugin agree on one revision.
  const std::string first = traces.empty() ? "" : traces.front();
  const bool look = !traces.empty() && looks(first);
  if (const Status used = UseAgreement(first, logs, look, &chosen); !used) return used.error();
  return chosen;
}

}  // namespace midwire::tools
