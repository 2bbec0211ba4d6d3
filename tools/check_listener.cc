#include "tools/check_listener.h"

#include <utility>

namespace midwire::tools {

CheckListener::CheckListener(Load load)
    : load_(std::move(load)),
      opening_session_(&opening_, trace::Opening::kMaxBody),
      session_(this) {}

void CheckListener::Use(wire::Dialect dialect) {
  dialect_ = std::move(dialect);
  auto checker = check::Checker::Create(&dialect_, [this](const trace::Violation& violation) {
    trace::Violation placed = violation;
    if (placed.line == 0) placed.line = lines_.Of(placed.frame);
    violations_.Add(placed, messages_);
  });
  session_.Expect(dialect_.framing);
  if (checker) {
    checker_ = std::move(*checker);
  } else {
    error_ = checker.error();
  }
}

void CheckListener::Decide() {
  detection_ = trace::Detect(opening_, trace::BuiltInOutlines());
  Result<wire::Dialect> dialect = load_(detection_.name());
  if (!dialect) {
    error_ = dialect.error();
    return;
  }
  Use(std::move(*dialect));
  if (failed()) return;
  for (Kept& kept : std::exchange(kept_, {})) {
    if (kept.what == Kept::What::kSection) {
      Section();
    } else if (kept.what == Kept::What::kGap) {
      Gap();
    } else {
      kept.record.head = kept.head;
      kept.record.body = kept.body;
      kept.record.lines = kept.lines;
      session_.OnRecord(kept.record);
    }
  }
}

void CheckListener::OnRecord(const trace::Record& record) {
  if (failed()) return;
  if (checker_) return session_.OnRecord(record);
  kept_.push_back({Kept::What::kRecord,
                   record,
                   std::string(record.head),
                   std::string(record.body),
                   {record.lines.begin(), record.lines.end()}});
  kept_bytes_ += record.head.size() + record.body.size() +
                 record.lines.size() * sizeof(trace::LinePlace) + sizeof(Kept);
  opening_session_.OnRecord(record);
  if (opening_.full() || kept_bytes_ > kMaxKept) Decide();
}

void CheckListener::OnSection() {
  if (checker_) return Section();
  kept_.push_back({.what = Kept::What::kSection});
  kept_bytes_ += sizeof(Kept);
  opening_session_.OnSection();
}

void CheckListener::OnDamage(const trace::Damage&) {
  if (checker_) return Gap();
  kept_.push_back({.what = Kept::What::kGap});
  kept_bytes_ += sizeof(Kept);
  opening_session_.OnGap();
}

void CheckListener::Section() {
  session_.OnSection();
  ++sessions_;
}

void CheckListener::Gap() {
  checker_->OnGap();
  session_.OnGap();
}

void CheckListener::Finish() {
  if (!checker_ && !failed()) {
    opening_session_.OnEnd();  // a last line without its end is a message, too
    Decide();
  }
  if (failed()) return;
  session_.OnEnd();
  checker_->Finish();
  violations_.Sort();
}

void CheckListener::OnMessage(const trace::RecordedMessage& recorded) {
  ++messages_;
  lines_.Add(recorded.number, recorded.line);
  checker_->OnMessage(recorded);
}
void CheckListener::OnElement(const trace::RecordedMessage& element) {
  checker_->OnElement(element);
}
void CheckListener::OnJunk(const trace::RecordedJunk& junk) { checker_->OnJunk(junk); }
void CheckListener::OnStderr(int64_t time_ns, std::string_view bytes) {
  checker_->OnStderr(time_ns, bytes);
}
void CheckListener::OnEvent(int64_t time_ns, const trace::Event& event) {
  checker_->OnEvent(time_ns, event);
}
void CheckListener::OnSectionEnd(const wire::Exchanges& exchanges) {
  checker_->OnSectionEnd(exchanges);
}

}  // namespace midwire::tools
