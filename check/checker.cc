#include "check/checker.h"

#include <utility>

#include "check/rules/types.h"
#include "trace/log_note.h"
#include "wire/json/parts.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"

namespace midwire::check {
namespace {

using wire::Kind;

// The part of a cut-off message that is kept: a violation shows no more.
constexpr size_t kMaxShown = 200;

// How a peer came to that length, if it fits.
std::string_view HowCounted(std::string_view text, uint64_t length) {
  uint64_t characters = 0, units = 0;
  for (size_t at = 0; at < text.size();) {
    const wire::Character character = wire::FirstCharacter(text.substr(at));
    at += character.length;
    ++characters;
    units += character.code > 0xffff ? 2 : 1;
  }
  if (characters == length) return ": it counts characters, not bytes";
  if (units == length) return ": it counts the units of UTF-16, not bytes";
  return "";
}

constexpr wire::Direction kDirections[] = {wire::Direction::kHostToPlugin,
                                           wire::Direction::kPluginToHost};

}  // namespace

Checker::Checker(const wire::Dialect* dialect, CheckReport::Sink sink)
    : dialect_(dialect),
      negotiated_(dialect),
      parts_{places_.Add({"params"}, 1), places_.Add({"arguments"}, 1), places_.Add({"result"}, 1),
             places_.Add({"body"}, 1), places_.Add({"error"}, 1)},
      values_(&places_),
      report_(dialect, std::move(sink)) {
  const std::vector<wire::MethodPlace>& versions = dialect->negotiation.message;
  if (versions.size() == 1) version_place_.emplace(versions.front(), &places_);
}

// Whether the message says something new of the revision. In a protocol where each message names
// it, nearly all name the same.
bool Checker::HasNews(const Observed& seen, const Method& method) {
  if (method.negotiates || dialect_->negotiation.message.size() > 1) {
    version_.clear();
    return true;
  }
  if (!version_place_ || !IsCall(seen)) return false;
  const std::optional<std::string_view> version = ValueOf(*version_place_, seen);
  if (!version || *version == version_) return false;
  version_ = version->substr(0, kMaxShown);
  return true;
}

template <typename Call>
void Checker::Each(const Call& call) {
  const bool settled = negotiated_.settled();
  for (const Slot& slot : rules_) {
    const bool applies = (slot.revisions & revision_) != 0;
    if (!applies && settled) continue;
    report_.Mute(!applies);
    call(slot.rule.get());
  }
  report_.Mute(false);
}

void Checker::ReportUnknown(const Observed& seen) {
  Violation violation = CheckReport::Of("revision.known", seen);
  violation.pointer = negotiated_.pointer();
  violation.got = negotiated_.unknown();
  violation.expected = negotiated_.current()->revision;
  violation.text = "the dialect does not have this revision: checked against " +
                   violation.expected + ", the nearest with " + std::string(seen.method);
  report_.Add(std::move(violation), wire::Severity::kNote);
}

void Checker::ReportNotAgreed() {
  // What is not recorded may have agreed on one; what sends all back does not agree.
  if (dialect_->revisions.empty() || !spoken_ || gap_ || report_.echo() ||
      negotiated_.how() >= trace::Negotiated::How::kAgreed) {
    return;
  }
  Violation violation = {.rule = "revision.agreed"};
  violation.expected = negotiated_.current()->revision;
  violation.text = "the session agreed on no revision: checked against this one";
  report_.Add(std::move(violation), wire::Severity::kNote);
}

// A trace of many sessions has few revisions: a dialect has a handful.
void Checker::NoteRevision() {
  const std::string& revision = negotiated_.current()->revision;
  if (!spoken_ || revision.empty()) return;
  std::string text = revision;
  if (!dialect_->revisions.empty() && negotiated_.how() < trace::Negotiated::How::kAgreed) {
    text += " (not agreed on)";
  }
  if ((", " + spoken_revisions_ + ", ").find(", " + text + ", ") != std::string::npos) return;
  if (!spoken_revisions_.empty()) spoken_revisions_ += ", ";
  spoken_revisions_ += text;
}

void Checker::FindParts(Observed* seen) const {
  const bool dap = seen->dap();
  seen->params = values_.At(dap ? parts_.arguments : parts_.params);
  seen->result = values_.At(dap ? parts_.body : parts_.result);
  seen->error = values_.At(parts_.error);
  // An event of DAP has a body, too.
  if (dap && seen->kind() == Kind::kNotification) seen->params = std::exchange(seen->result, {});
}

void Checker::Show(const RecordedMessage& recorded, std::string_view body) {
  const wire::Message& message = *recorded.message;
  Observed seen;
  seen.recorded = &recorded;
  seen.message = &message;
  seen.body = body;
  seen.values = &values_;
  seen.request = recorded.request;
  seen.method = seen.request ? std::string_view(seen.request->method) : message.method;
  spoken_ = true;
  Method& method = Find(seen.method);
  KnownShape* const shape = Read(&seen, &method);
  const wire::Dialect* const revision =
      negotiated_.OnMessage({.message = seen.message,
                             .method = seen.method,
                             .body = seen.json && HasNews(seen, method) ? body : std::string_view(),
                             .number = seen.number(),
                             .request = seen.request});
  if (revision != report_.dialect()) Use(revision);
  if (!negotiated_.unknown().empty()) ReportUnknown(seen);
  if (method.revision != revision || &method == &other_) {
    method.revision = revision;
    method.spec = seen.method.empty() ? nullptr : revision->Find(seen.method);
    method.own.clear();
    method.calls.DropReaders();
    method.answers.DropReaders();
    for (const uint32_t i : method.rules) {
      if ((rules_[i].revisions & revision_) != 0) method.own.push_back(i);
    }
  }
  seen.spec = method.spec;
  if (IsEcho(seen)) return;
  const bool settled = negotiated_.settled();
  report_.Show(seen.number(), seen.json ? body : std::string_view());
  if (settled || dialect_->revisions.empty()) {
    ShowRules(seen, method, shape);
  } else {
    for (const uint32_t i : method.rules) {
      report_.Mute((rules_[i].revisions & revision_) == 0);
      rules_[i].rule->OnMessage(seen, &report_);
    }
  }
  report_.Show(0, "");
  report_.Mute(false);
}

// Whether a message is only the host's own, which the plugin may not send, or is the host's answer
// to one; reports the first.
bool Checker::IsEcho(const Observed& seen) {
  const bool hosts_own = IsCall(seen) && seen.spec != nullptr && !seen.spec->from[1];
  if (seen.direction() == wire::Direction::kHostToPlugin) {
    if (hosts_own || !echoes_.other()) echoes_.OnHost(seen.number(), seen.body);
    return echoes_.only() && seen.message->IsAnswer();
  }
  const uint64_t original = hosts_own || echoes_.only() ? echoes_.Find(seen.body) : 0;
  const bool before = echoes_.seen();
  echoes_.OnPlugin(original != 0);
  report_.SetEcho(echoes_.only());
  if (original == 0) return false;
  if (before) return true;
  Violation violation = CheckReport::Of("stdout.echo", seen);
  violation.text = "the plugin sends back what it was sent (this is message " +
                   std::to_string(original) +
                   "): its stdin is a terminal that echoes, or another program than meant is "
                   "behind the pipe";
  report_.Add(std::move(violation));
  return true;
}

// What the pieces were, and that their text is one message.
void Checker::ShowJoined(Pieces* pieces) {
  const std::string text(wire::Trimmed(pieces->text()));
  const auto all = pieces->Take();
  RecordedMessage recorded = all.front()->recorded;
  wire::Frame frame = all.front()->frame;
  const bool line = frame.framing == wire::Framing::kLine;
  Violation violation = {.rule = line ? "framing.several-lines" : "framing.length",
                         .clause = report_.dialect()->framing_clause,
                         .frame = recorded.number,
                         .direction = recorded.direction};
  if (line) {
    violation.text = "one message is spread over " + std::to_string(all.size()) +
                     " lines: a line break ends a message";
  } else {
    violation.expected = std::to_string(text.size());
    violation.got = std::to_string(frame.body_size);
    violation.text = "Content-Length is " + std::to_string(text.size() - frame.body_size) +
                     " too short" + std::string(HowCounted(text, frame.body_size));
  }
  wire::MessageScanner scanner;
  scanner.Start(/*line=*/false);
  scanner.Feed(text);
  const wire::Message& message = scanner.Finish();
  violation.kind = message.kind;
  violation.method = message.method;
  report_.Add(std::move(violation));
  resumed_[static_cast<int>(recorded.direction)] = true;
  if (message.kind == Kind::kBatch) return;
  frame.bytes = text;
  frame.size = frame.body_size = text.size();
  frame.body_offset = 0;
  frame.oddities = 0;
  recorded.frame = &frame;
  recorded.message = &message;
  Show(recorded, text);
}

// They are not one text: each is judged by itself.
void Checker::Release(Pieces* pieces) {
  for (const auto& piece : pieces->Take()) {
    piece->is_frame ? ShowMessage(piece->recorded) : ReportJunk(piece->junk);
  }
}

void Checker::OnMessage(const RecordedMessage& recorded) {
  report_.OnReceived(recorded.direction);
  broken_[static_cast<int>(recorded.direction)] = false;
  Pieces& before = pieces(recorded.direction);
  Pieces::Taken taken = before.Add(recorded);
  if (taken == Pieces::Taken::kNo && !before.empty()) {
    Release(&before);
    taken = before.Add(recorded);
  }
  if (taken == Pieces::Taken::kComplete) return ShowJoined(&before);
  if (taken == Pieces::Taken::kNo) ShowMessage(recorded);
}

void Checker::ShowMessage(const RecordedMessage& recorded) {
  bool& resumed = resumed_[static_cast<int>(recorded.direction)];
  if (std::exchange(resumed, false) && (recorded.frame->oddities & wire::kResynchronised)) {
    // Its header follows the joined text without a line break: no other mistake.
    wire::Frame frame = *recorded.frame;
    frame.oddities &= ~wire::Oddities{wire::kResynchronised};
    RecordedMessage same = recorded;
    same.frame = &frame;
    return ShowMessage(same);
  }
  const std::string_view body = wire::Trimmed(recorded.frame->body());
  elements_.reset();
  if (recorded.frame->framing == wire::Framing::kLine && recorded.frame->whole() &&
      (recorded.frame->oddities & wire::kTrailingBytes) && !wire::IsLooseJson(body)) {
    // The reader took a bracket in the text for its end. The whole line is one mistake.
    broken_[static_cast<int>(recorded.direction)] = true;
    wire::Frame frame = *recorded.frame;
    frame.oddities &= ~wire::Oddities{wire::kTrailingBytes};
    RecordedMessage same = recorded;
    same.frame = &frame;
    return Show(same, body);
  }
  if (recorded.message->kind == Kind::kBatch && recorded.frame->whole() &&
      wire::IsLooseJson(body)) {
    elements_.emplace(body);
  }
  Show(recorded, body);
}

void Checker::OnElement(const RecordedMessage& element) {
  wire::JsonPart part;
  while (elements_ && elements_->Next(&part)) {
    if (!part.value.starts_with('{')) continue;  // not classified, see MessageScanner
    return Show(element, part.value);
  }
}

void Checker::OnJunk(const RecordedJunk& junk) {
  report_.OnReceived(junk.direction);
  Pieces& before = pieces(junk.direction);
  if (!before.empty()) {
    const Pieces::Taken taken = before.Add(junk);
    if (taken == Pieces::Taken::kComplete) return ShowJoined(&before);
    if (taken == Pieces::Taken::kYes) return;
    Release(&before);
  }
  if (std::exchange(broken_[static_cast<int>(junk.direction)], false)) return ReportRest(junk);
  if (junk.junk->reason != wire::JunkReason::kTruncated) return ReportJunk(junk);
  cut_off_[static_cast<int>(junk.direction)] = {
      junk.time_ns, std::string(junk.junk->bytes.substr(0, kMaxShown)), junk.junk->size, junk.line};
}

void Checker::ReportJunk(const RecordedJunk& junk) {
  Each([&](CheckRule* rule) { rule->OnJunk(junk, &report_); });
}

// The junk begins with the rest of a line that was reported.
void Checker::ReportRest(const RecordedJunk& junk) {
  const size_t newline = junk.junk->bytes.find('\n');
  if (newline == std::string_view::npos || newline + 1 >= junk.junk->size) return;
  wire::Junk rest = *junk.junk;
  rest.bytes.remove_prefix(newline + 1);
  rest.size -= newline + 1;
  RecordedJunk same = junk;
  same.junk = &rest;
  ReportJunk(same);
}

void Checker::ReportCutOff(wire::Direction direction) {
  std::optional<CutOff> cut_off = std::exchange(cut_off_[static_cast<int>(direction)], {});
  if (!cut_off) return;
  const wire::Junk junk = {cut_off->bytes, cut_off->size, wire::JunkReason::kTruncated};
  ReportJunk(
      {.direction = direction, .time_ns = cut_off->time_ns, .junk = &junk, .line = cut_off->line});
}

void Checker::OnStderr(int64_t, std::string_view bytes) {
  for (const Slot& slot : rules_) slot.rule->OnStderr(bytes);
}

void Checker::OnEvent(int64_t time_ns, const Event& event) {
  const bool ends = std::holds_alternative<trace::EofEvent>(event) ||
                    std::holds_alternative<trace::GapEvent>(event) ||
                    std::holds_alternative<ExitStatus>(event);
  for (Pieces& pieces : pieces_) {
    if (ends) Release(&pieces);
  }
  if (const auto* spawn = std::get_if<trace::SpawnEvent>(&event)) {
    spawned_ = true;
    // Both directions are recorded: silence is silence.
    for (const wire::Direction direction : kDirections) report_.OnReceived(direction);
    if (spawn->part > 1) OnGap();
  } else if (const auto log = trace::ReadLogNote(event); log && !spawned_) {
    report_.UseLog(log->bare > 0, log->unordered());
  } else if (const auto* end = std::get_if<trace::EndEvent>(&event)) {
    ended_ = end->next.empty();
  } else if (const auto* eof = std::get_if<trace::EofEvent>(&event)) {
    for (const wire::Direction direction : kDirections) {
      if (eof->stream == wire::Name(direction)) ReportCutOff(direction);
    }
  } else if (std::holds_alternative<trace::GapEvent>(event)) {
    for (auto& cut_off : cut_off_) cut_off.reset();
    OnGap();
  }
  Each([&](CheckRule* rule) { rule->OnEvent(time_ns, event, &report_); });
}

void Checker::OnGap() {
  ++epoch_;
  for (Pieces& pieces : pieces_) Release(&pieces);
  gap_ = true;
  for (const Slot& slot : rules_) slot.rule->OnGap();
}

void Checker::OnSectionEnd(const wire::Exchanges&) {
  for (Pieces& pieces : pieces_) Release(&pieces);
  // A trace written by hand has neither a spawn nor an end, and counts as complete.
  const bool whole = !gap_ && (ended_ || !spawned_);
  for (const wire::Direction direction : kDirections) {
    if (whole) ReportCutOff(direction);
    cut_off_[static_cast<int>(direction)].reset();
  }
  ReportNotAgreed();
  NoteRevision();
  for (const Slot& slot : rules_) {  // all: each drops its state
    report_.Mute((slot.revisions & revision_) == 0);
    slot.rule->OnSessionEnd(whole, &report_);
  }
  report_.Mute(false);
  ++epoch_;
  negotiated_.OnSessionEnd();
  echoes_.Clear();
  version_.clear();
  Use(negotiated_.current());
  spawned_ = ended_ = gap_ = spoken_ = false;
  resumed_[0] = resumed_[1] = broken_[0] = broken_[1] = false;
  report_.EndSession();
  ++report_.session;
}

void Checker::Finish() { OnSectionEnd({}); }

}  // namespace midwire::check
