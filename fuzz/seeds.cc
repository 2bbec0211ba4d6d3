#include "fuzz/seeds.h"

#include <algorithm>
#include <iterator>

#include "trace/event.h"
#include "wire/json/parts.h"
#include "wire/json/writer.h"

namespace midwire::fuzz {
namespace {

// A request that took longer in the recording may take longer than the longest timeout now and
// then.
constexpr int64_t kSlowNs = 400'000'000;
// A plugin that ends by itself has ended that long after the last message, also one in an
// interpreter on a busy machine.
constexpr int64_t kEndNs = 500'000'000;

Part PartOf(const wire::Frame& frame) {
  return {.bytes = std::string(frame.bytes),
          .head = frame.head().size(),
          .tail = frame.tail().size(),
          .framing = frame.framing};
}

}  // namespace

bool SeedCollector::Opens(const wire::Message& message) const {
  if (message.kind != wire::Kind::kRequest) return false;
  if (dialect_ != nullptr && !dialect_->first.empty()) {
    return wire::MatchesAny(dialect_->first, message.method);
  }
  return message.method == "initialize";
}

bool SeedCollector::Closes(const wire::Message& message) const {
  return !message.IsAnswer() && shutdown_methods_.IsMethod(message.method);
}

void SeedCollector::OnMessage(const trace::RecordedMessage& sent) {
  const wire::Message& message = *sent.message;
  last_time_ns_ = sent.time_ns;
  const std::string_view method =
      message.IsAnswer() && sent.request ? sent.request->method : message.method;
  const std::string_view body = wire::Trimmed(sent.frame->body());
  seeds_->usual_flags |= message.flags & (wire::kNoVersion | wire::kOtherVersion | wire::kDap);
  if (seeds_->methods.size() < kMaxWords && !method.empty()) seeds_->methods.emplace(method);
  if (sent.frame->whole()) {
    seeds_->words.AddMessage(sent.direction, message, body);
    seeds_->live.Record(sent.direction, method, body);
  }
  if (sent.direction != seeds_->ours) {
    if (received_ == 0) received_ = sent.number;
    if (message.kind == wire::Kind::kRequest && seeds_->peer_ids.size() < kMaxWords) {
      seeds_->peer_ids[message.id.token].insert(message.method);
    }
    if (message.IsAnswer() && sent.request) {
      if (sent.request->number < answered_) {
        AddLate(sent.request->method);
      } else if (received_ != 0 && sent.request->number > received_) {
        const int64_t took = sent.time_ns - sent.request->time_ns;
        seeds_->slowest_ns = std::max(seeds_->slowest_ns, took);
        if (took > kSlowNs) AddLate(sent.request->method);
      }
      answered_ = std::max(answered_, sent.request->number);
      open_.erase(sent.request->number);
    }
    return;
  }
  if (message.kind == wire::Kind::kRequest && open_.size() < kMaxParts) {
    open_.emplace(sent.number, message.method);
  }
  if (seeds_->framing == wire::Framing::kAuto) seeds_->framing = sent.frame->framing;
  if (message.IsAnswer() && sent.request && seeds_->answers.size() < kMaxWords) {
    seeds_->answers.emplace(sent.request->method, body);
  }
  bytes_ += sent.frame->size;
  if (bytes_ > kMaxSeedBytes || session_.parts.size() >= kMaxParts || !sent.frame->whole()) {
    ++seeds_->left_out;
    return;
  }
  session_.parts.push_back(PartOf(*sent.frame));
  const bool leads = seeds_->ours == wire::Direction::kHostToPlugin;
  if (leads && !message.method.empty() && !Closes(message) && seeds_->singles.size() < kMaxWords) {
    seeds_->singles.try_emplace(message.method, Input{{session_.parts.back()}});
  }
  if (!opened_ && Opens(message)) {
    opened_ = true;
    opening_ = session_.parts.size();
  } else if (opened_ && opening_ + 1 == session_.parts.size() && !first_closing_part_ &&
             message.kind == wire::Kind::kNotification && !Closes(message)) {
    opening_ = session_.parts.size();  // "initialized"
  }
  if (leads && !message.method.empty()) {
    if (!last_method_.empty() && goes_on_.size() < kMaxWords) goes_on_.insert(last_method_);
    last_method_ = message.method;
    ending_part_ = session_.parts.size() - 1;
  }
  if (Closes(message)) {
    if (!first_closing_part_) first_closing_part_ = session_.parts.size() - 1;
  } else if (!message.IsAnswer()) {
    first_closing_part_.reset();
  }
}

void SeedCollector::OnJunk(const trace::RecordedJunk& junk) {
  if (junk.direction != seeds_->ours) return;
  if (session_.parts.size() >= kMaxParts) {
    ++seeds_->left_out;
    return;
  }
  session_.parts.push_back({.bytes = std::string(junk.junk->bytes)});
}

void SeedCollector::OnEvent(int64_t time_ns, const trace::Event& event) {
  const auto* eof = std::get_if<trace::EofEvent>(&event);
  if (eof != nullptr && eof->stream == Name(trace::StreamOf(wire::Direction::kHostToPlugin))) {
    asked_soon_ = !asked_to_end_ && time_ns - last_time_ns_ < kEndNs;
    asked_to_end_ = at_eof_ = true;
  }
  if (std::holds_alternative<trace::SignalEvent>(event)) {
    asked_to_end_ = signalled_ = true;
    asked_soon_ = false;
  }
  const auto* exit = std::get_if<ExitStatus>(&event);
  if (exit == nullptr || exit->signal != 0) return;
  if (at_eof_ && !signalled_ && !first_closing_part_) seeds_->eof_codes.insert(exit->code);
  if (exit->code != 0) return;
  ended_itself_ = !asked_to_end_;
  may_have_ended_itself_ = asked_soon_;
  if (at_eof_) seeds_->exits_at_eof = true;
}

// A method that ends the plugin is the last of each session that has it. If it is all that there
// is, it stays: an input that ends the plugin is better than none.
void SeedCollector::LearnEnd() {
  if (!last_method_.empty() && ends_.size() + goes_on_.size() + may_end_.size() < kMaxWords) {
    if (may_have_ended_itself_) {
      may_end_.try_emplace(last_method_, session_.parts[ending_part_]);
    } else {
      (ended_itself_ ? ends_ : goes_on_).insert(last_method_);
    }
  }
  seeds_->ends.clear();
  std::set_difference(ends_.begin(), ends_.end(), goes_on_.begin(), goes_on_.end(),
                      std::inserter(seeds_->ends, seeds_->ends.end()));
  seeds_->may_end = may_end_;
  std::erase_if(seeds_->may_end, [this](const auto& each) {
    return goes_on_.contains(each.first) || ends_.contains(each.first) ||
           shutdown_methods_.IsMethod(each.first);
  });
  const bool last = ended_itself_ && seeds_->ends.contains(last_method_);
  if (last && !first_closing_part_ && ending_part_ > opening_) first_closing_part_ = ending_part_;
  last_method_.clear();
  asked_to_end_ = at_eof_ = signalled_ = asked_soon_ = ended_itself_ = may_have_ended_itself_ =
      false;
  last_time_ns_ = 0;
}

void SeedCollector::AddLate(const std::string& method) {
  if (seeds_->late.size() < kMaxWords) seeds_->late.insert(method);
}

void SeedCollector::EndSession() {
  LearnEnd();
  const auto begin = session_.parts.begin();
  const size_t end = std::max(opening_, first_closing_part_.value_or(session_.parts.size()));
  if (seeds_->opening.parts.empty()) seeds_->opening.parts.assign(begin, begin + opening_);
  if (seeds_->closing.parts.empty())
    seeds_->closing.parts.assign(begin + end, session_.parts.end());
  if (end > opening_ && seeds_->inputs.size() < kMaxSeedSessions) {
    Input input;
    input.parts.assign(begin + opening_, begin + end);
    seeds_->inputs.push_back(std::move(input));
  } else if (end > opening_) {
    ++seeds_->left_out;
  }
  session_ = {};
  opening_ = 0;
  first_closing_part_.reset();
  opened_ = false;
  // A request that is open when the session ends may only have been cut off: it is late if a later
  // one was answered.
  for (const auto& [number, unanswered] : open_) {
    if (number < answered_) AddLate(unanswered);
  }
  open_.clear();
  answered_ = received_ = 0;
}

void MakeSeeds(const wire::Dialect* dialect, Seeds* seeds) {
  const bool host = seeds->ours == wire::Direction::kHostToPlugin;
  if (seeds->framing == wire::Framing::kAuto) {
    const auto of_dialect = dialect != nullptr ? dialect->framing : std::nullopt;
    seeds->framing = of_dialect.value_or(wire::Framing::kLine);
  }
  Input all;
  int id = 0;
  const auto add = [&](const std::string& method, bool request) {
    std::string body;
    wire::JsonWriter json(&body);
    json.Open('{');
    json.Key("jsonrpc").Text("2.0");
    if (request) json.Key("id").Number(++id);
    json.Key("method").Text(method);
    json.Key("params").Raw("{}");
    json.Close('}');
    seeds->methods.insert(method);
    Input input;
    input.parts.push_back(Framed(body, seeds->framing));
    if (all.parts.size() < kMaxParts) all.parts.push_back(input.parts[0]);
    if (seeds->inputs.size() < kMaxSeedSessions) seeds->inputs.push_back(std::move(input));
  };
  if (dialect != nullptr) {
    for (const auto& [name, spec] : dialect->methods) {
      if (!spec.from[host ? 0 : 1] || name.ends_with('*') || wire::MatchesAny(dialect->last, name))
        continue;
      add(name, spec.request);
    }
  }
  if (seeds->inputs.empty()) add("ping", true);
  if (all.parts.size() > 1) seeds->inputs.push_back(std::move(all));
}

}  // namespace midwire::fuzz
