#include "tools/replaying/update.h"

#include <algorithm>

#include "io/files/file_sink.h"
#include "io/files/replace_file.h"
#include "replay/play/rewrite.h"
#include "tools/replaying/kept_lines.h"
#include "trace/session.h"
#include "trace/writer.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::tools {
namespace {

using replay::StepIndex;
using trace::Stream;

const wire::Pointer kId = {{"id"}};

// The file's format, so that it is written the same way.
struct Shape {
  trace::Format format = trace::Format::kCassette;
  bool times = true;
};

Result<Shape> ShapeOf(const std::string& path) {
  Result<std::unique_ptr<trace::Source>> source = trace::OpenSource(path);
  if (!source) return source.error();
  char start[512];
  const Result<size_t> size = (*source)->Read(start, sizeof start);
  if (!size) return size.error();
  const std::string_view text(start, *size);
  if (text.starts_with("\x0A\x0D\x0D\x0A")) return Shape{trace::Format::kTape, true};
  const std::string_view header = text.substr(0, text.find('\n'));
  return Shape{trace::Format::kCassette, header.find("\"start\":") != header.npos};
}

// Passes on what the reader returns, and to `kept` the line that it has reached.
class LineReader : public trace::TraceReader {
 public:
  LineReader(trace::TraceReader* from, KeptLines* kept) : from_(from), kept_(kept) {}

  Result<trace::Step> Next(trace::Record* record) override {
    const Result<trace::Step> step = from_->Next(record);
    if (!step || *step != trace::Step::kRecord || record->lines.empty()) return step;
    if (Status reached = kept_->Reach(record->lines.back().line); !reached) return reached.error();
    return step;
  }
  const trace::Damage& damage() const override { return from_->damage(); }
  uint64_t torn_bytes() const override { return from_->torn_bytes(); }
  uint64_t damaged_bytes() const override { return from_->damaged_bytes(); }

 private:
  trace::TraceReader* from_;
  KeptLines* kept_;
};

// "differs build/run"
std::string DifferenceText(const trace::Difference& item) {
  return std::string(trace::Name(item.difference)) +
         (item.method.empty() ? "" : " " + wire::Escaped(item.method));
}

}  // namespace

// Copies a trace message by message, with the changes.
class Update::Writer : public trace::SessionHandler {
 public:
  // `kept`: of a cassette.
  Writer(Update* update, replay::Loaded* loaded, ExitStatus ended, trace::TraceWriter* writer,
         KeptLines* kept)
      : update_(update), loaded_(loaded), ended_(ended), writer_(writer), kept_(kept) {}

  void OnMessage(const trace::RecordedMessage& recorded) override {
    time_ns_ = recorded.time_ns;
    const replay::Blocks<replay::Step>& steps = loaded_->script.steps;
    while (next_ < steps.size() &&
           (steps[next_].element || steps[next_].number < recorded.number)) {
      ++next_;
    }
    const Stream stream = trace::StreamOf(recorded.direction);
    if (sections_ > 0 || next_ == steps.size()) {
      return Put(stream, recorded.frame->bytes, recorded.frame->head().size());
    }
    if (next_ == 0) PutExtras(replay::kNoStep);
    if (const auto changed = update_->changed_.find(next_); changed != update_->changed_.end()) {
      PutChanged(changed->second);
    } else if (!IsGone(next_)) {
      Put(stream, recorded.frame->bytes, recorded.frame->head().size());
    } else {
      ++update_->written_.removed;
    }
    if (kept_ != nullptr && status_) status_ = kept_->Pass();
    PutExtras(next_);
    for (StepIndex i = next_ + 1; i < steps.size() && steps[i].element; ++i) PutExtras(i);
  }
  void OnJunk(const trace::RecordedJunk& junk) override {
    time_ns_ = junk.time_ns;
    Put(trace::StreamOf(junk.direction), junk.junk->bytes, 0);
  }
  void OnStderr(int64_t time_ns, std::string_view bytes) override {
    time_ns_ = time_ns;
    Put(Stream::kStderr, bytes, 0);
  }
  void OnEvent(int64_t time_ns, const trace::Event& event) override {
    time_ns_ = time_ns;
    const bool exit = sections_ == 0 && std::holds_alternative<ExitStatus>(event);
    if (std::holds_alternative<trace::EndEvent>(event)) PutCrash();
    has_exit_ = has_exit_ || exit;
    const trace::Event now = ended_;
    if (exit && std::get<ExitStatus>(event) != ended_) update_->written_.ending = true;
    Put(Stream::kEvents, trace::ToJson(exit ? now : event), 0);
  }
  void OnSectionEnd(const wire::Exchanges&) override {
    PutCrash();
    ++sections_;
    if (status_) status_ = writer_->OnSection();
  }

  Status Finish() {
    PutCrash();
    if (status_) status_ = writer_->OnEnd();
    return status_ && kept_ != nullptr ? kept_->Finish() : status_;
  }

 private:
  // A trace without an exit, such as one written by hand, must say that its plugin crashes.
  void PutCrash() {
    if (sections_ > 0 || has_exit_ || ended_.signal == 0 || !update_->crash_accepted_) return;
    has_exit_ = update_->written_.ending = true;
    SetAdditional(true);
    Put(Stream::kEvents, trace::ToJson(ended_), 0);
    SetAdditional(false);
  }

  // Expected, and did not arrive.
  bool IsGone(StepIndex index) const {
    const replay::Step& step = loaded_->script.steps[index];
    if (step.direction != wire::Direction::kPluginToHost) {
      if (update_->ends_early_ && !step.element && !update_->sent_.contains(index)) return true;
      const bool answer = step.kind == wire::Kind::kResponse || step.kind == wire::Kind::kError;
      return answer && step.other != replay::kNoStep && IsGone(step.other);
    }
    if (step.is_volatile || step.chunked) return false;
    return !update_->came_.contains(index);
  }

  // A live frame with the recorded id and bound values, which the rest of the trace repeats.
  // `step`: its recorded message; an extra message keeps its id.
  std::string AsRecorded(const Extra& live, const replay::Step* step) {
    std::string_view body = std::string_view(live.frame).substr(live.head);
    if (body.ends_with('\n')) body.remove_suffix(1);
    body = wire::Trimmed(body);
    if (!wire::IsLooseJson(body)) return live.frame;
    std::vector<replay::Replacement> replacements;
    std::string recorded_id;
    if (step != nullptr && step->json && step->kind == wire::Kind::kRequest) {
      const auto frame = loaded_->frames.Get(step->at, step->size);
      const auto recorded =
          frame
              ? wire::ValueAt(
                    wire::Trimmed(frame->substr(step->head, step->size - step->head - step->tail)),
                    kId)
              : std::nullopt;
      const auto now = wire::ValueAt(body, kId);
      recorded_id = recorded.value_or("");
      if (recorded && now) replacements.push_back({*now, recorded_id});
    }
    const std::vector<replay::Slot>& slots = loaded_->bindings.slots();
    wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
      if (path.size() < 2) return;
      for (size_t i = 0; i < std::min(slots.size(), trace::kMaxDifferences); ++i) {
        if (slots[i].live != value || slots[i].live == slots[i].recorded) continue;
        replacements.push_back({value, slots[i].recorded});
        return;
      }
    });
    std::string frame;
    replay::Rewrite(live.frame, live.head, std::move(replacements), &frame);
    const size_t head = live.head == 0 ? 0 : frame.find("\r\n\r\n") + 4;
    return loaded_->host.Restore(frame, head);
  }

  // In place of a recorded message: the first takes its line, others follow.
  void PutChanged(const std::vector<Extra>& live) {
    for (const Extra& extra : live) {
      const bool one = extra.step != replay::kNoStep;
      PutLive(extra, one ? &loaded_->script.steps[extra.step] : nullptr);
      SetAdditional(true);
    }
    SetAdditional(false);
    update_->written_.changed += live.size();
  }

  void PutLive(const Extra& live, const replay::Step* step) {
    const std::string frame = AsRecorded(live, step);
    Put(trace::StreamOf(live.direction), frame, live.head == 0 ? 0 : frame.find("\r\n\r\n") + 4);
  }

  void PutExtras(StepIndex after) {
    const auto extras = update_->extras_.find(after);
    if (extras == update_->extras_.end()) return;
    SetAdditional(true);
    update_->written_.added += extras->second.size();
    for (const Extra& extra : extras->second) PutLive(extra, nullptr);
    SetAdditional(false);
    update_->extras_.erase(extras);
  }

  void SetAdditional(bool additional) {
    if (kept_ != nullptr) kept_->SetAdditional(additional);
  }

  void Put(Stream stream, std::string_view bytes, size_t head) {
    if (!status_) return;
    const auto hint = stream == Stream::kStderr ? trace::Hint::kText : trace::Hint::kJson;
    status_ = trace::WriteInSegments({.stream = stream, .hint = hint, .time_ns = time_ns_}, bytes,
                                     head, writer_);
  }

  Update* update_;
  replay::Loaded* loaded_;
  ExitStatus ended_;
  trace::TraceWriter* writer_;
  KeptLines* kept_;
  StepIndex next_ = 0;
  int sections_ = 0;
  bool has_exit_ = false;
  int64_t time_ns_ = 0;
  Status status_ = Ok{};
};

// Messages are replaced in place: their order and what is between them stays.
bool Update::CanAccept(const trace::Difference& item, const replay::Script& script,
                       bool accept_crash) const {
  using trace::DifferenceKind;
  // Its pieces may be cut otherwise, so none of them replaces a recorded one.
  for (const replay::Step& step : script.steps) {
    if (step.number == item.frame && step.chunked) return false;
  }
  if (item.difference == DifferenceKind::kHung && accept_crash) return true;
  if (!trace::IsDisorder(item.difference)) return true;
  if (item.difference != DifferenceKind::kEarly) return false;
  // Except if the reverse call that it came before is gone.
  for (StepIndex i = 0; i < script.steps.size(); ++i) {
    const replay::Step& answer = script.steps[i];
    if (answer.number != item.frame || answer.other == replay::kNoStep) continue;
    for (StepIndex call = answer.other; call < i; ++call) {
      const replay::Step& step = script.steps[call];
      if (step.kind == wire::Kind::kRequest && step.direction == answer.direction &&
          !came_.contains(call)) {
        return true;
      }
    }
  }
  return false;
}

std::string Update::Written::Text() const {
  std::string text;
  const auto add = [&](std::string_view item) {
    text.append(text.empty() ? "" : ", ").append(item);
  };
  if (changed > 0) add(wire::Counted(changed, "message"));
  const auto add_counted = [&](size_t count, const std::string& what) {
    if (count == 0) return;
    add((text.empty() ? wire::Counted(count, "message") : std::to_string(count)) + what);
  };
  add_counted(added, " added");
  add_counted(removed, " removed");
  if (ending) add("how the plugin ends");
  return text.empty() ? "nothing" : text;
}

// Plays the run against the new trace, as the next replay will.
Status Update::WouldBeSame(const std::string& trace, const std::string& path, ExitStatus ended,
                           const Replayed& replayed) {
  const auto loaded = replay::Load(trace, wire::Direction::kHostToPlugin, replayed.declared);
  if (!loaded) return loaded.error();
  const auto report = replay::Rehearse(loaded->get(), &live_, ended, replayed.options);
  if (!report) return report.error();
  if (report->same() || report->differences.empty()) return Ok{};
  const trace::Difference& first = report->differences[0];
  const std::string place = first.pointer.empty() ? "" : " " + wire::Escaped(first.pointer);
  return Error{"not updated: the same plugin would differ from the new trace too",
               path + ": " + DifferenceText(first) + place,
               "fix the plugin, or record a new session"};
}

Result<Update::Written> Update::Write(const std::string& named, replay::Loaded* loaded,
                                      const trace::ReplayReport& report, ExitStatus ended,
                                      const Replayed& replayed, bool accept_crash) {
  const std::string path = io::FollowLink(named);
  using trace::DifferenceKind;
  for (const trace::Difference& item : report.differences) {
    const bool hung = item.difference == DifferenceKind::kHung;
    const bool crashed = item.difference == DifferenceKind::kEnded && ended.signal != 0;
    if (accept_crash || (!hung && !crashed)) continue;
    return Error{hung ? "not updated: the plugin hung" : "not updated: the plugin crashed", path,
                 "fix the plugin, or add --accept-crash"};
  }
  if (report.difference_count > report.differences.size() && ended.signal != 0 && !accept_crash) {
    // That of the exit may be among those that are not listed.
    return Error{"not updated: the plugin was killed by a signal", path,
                 "fix the plugin, or add --accept-crash"};
  }
  if (!report.to_end && !accept_crash) {
    return Error{"not updated: the plugin exited before the session was over", path,
                 "fix the plugin, or add --accept-crash"};
  }
  crash_accepted_ = accept_crash;
  ends_early_ = !report.to_end;
  for (const trace::Difference& item : report.differences) {
    if (CanAccept(item, loaded->script, accept_crash)) continue;
    return Error{"not updated: this difference cannot be accepted", DifferenceText(item),
                 "fix the plugin, or record a new session"};
  }
  if (report.more_disorder) {
    return Error{"not updated: a difference that is not listed cannot be accepted", path,
                 "fix the plugin, or record a new session"};
  }
  if (kept_ > kMaxUpdate) {
    return Error{"not updated: more than 256 MiB of new messages", path, "record a new session"};
  }
  const Result<Shape> shape = ShapeOf(path);
  if (!shape) return shape.error();
  Result<std::unique_ptr<io::FileSink>> sink = io::FileSink::CreateVersion(path);
  if (!sink) return sink.error();
  Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(path);
  if (!reader) return reader.error();
  Result<std::unique_ptr<trace::Source>> lines = trace::OpenSource(path);
  if (!lines) return lines.error();
  KeptLines kept(std::move(*lines), sink->get());
  const bool cassette = shape->format == trace::Format::kCassette;
  const std::unique_ptr<trace::TraceWriter> to = trace::MakeWriter(
      shape->format, shape->times, cassette ? static_cast<Sink*>(&kept) : sink->get());
  Writer writer(this, loaded, ended, to.get(), cassette ? &kept : nullptr);
  trace::Session session(&writer);
  session.Expect(loaded->declared.framing);
  LineReader read(reader->get(), &kept);
  if (Status played = trace::Play(&read, &session); !played) return played.error();
  if (Status written = writer.Finish(); !written) return written.error();
  const Result<std::string> so_far = (*sink)->SoFar();
  if (!so_far) return so_far.error();
  if (Status same = WouldBeSame(*so_far, path, ended, replayed); !same) return same.error();
  if (Status closed = (*sink)->Close(); !closed) return closed.error();
  written_.old = (*sink)->old_name();
  return written_;
}

}  // namespace midwire::tools
