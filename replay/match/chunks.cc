#include "replay/match/chunks.h"

#include <algorithm>

#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/quote.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

std::string TextAt(const Place& at, std::string_view body) {
  const auto value = wire::ValueAt(body, at.pointer);
  return value && wire::TypeOf(*value) == wire::JsonType::kString ? wire::StringValue(*value) : "";
}

std::string AsJson(std::string_view text) {
  std::string json;
  wire::AppendJsonString(text, &json);
  return json;
}

}  // namespace

const Place* ChunkPlace(const Declarations& declared, const CallClass& of, std::string_view body) {
  for (const Place& place : declared.chunked) {
    if (!of.IsOf(place) || !wire::IsLooseJson(body)) continue;
    const auto value = wire::ValueAt(body, place.pointer);
    if (value && wire::TypeOf(*value) == wire::JsonType::kString) return &place;
  }
  return nullptr;
}

std::optional<Chunks::StreamIndex> Chunks::Find(uint64_t group, const OfStream& of_stream) const {
  size_t tried = 0;
  for (StreamIndex i = 0; i < streams_.size() && tried < kMaxStreams; ++i) {
    const Stream& stream = streams_[i];
    if (stream.group != group) continue;
    ++tried;
    if (of_stream(stream.steps[0])) return i;
  }
  return std::nullopt;
}

void Chunks::Add(uint64_t group, StepIndex step, const Place* at, const OfStream& of_stream) {
  const std::optional<StreamIndex> stream = Find(group, of_stream);
  if (stream) return streams_[*stream].steps.push_back(step);
  streams_.push_back({.group = group, .at = at, .steps = {step}});
}

Chunks::Received Chunks::OnPiece(StreamIndex index, std::string_view body, const BodyOf& body_of) {
  Stream& stream = streams_[index];
  Received progress;
  const auto finish = [&] {
    progress.done.push_back(stream.steps[stream.next++]);
    stream.offset = 0;
  };
  const std::string text = TextAt(*stream.at, body);
  std::string_view rest = text;
  const auto fail = [&](std::string_view expected) {
    progress.differs = true;
    if (!expected.empty()) progress.expected = AsJson(expected);
    progress.got = AsJson(rest);
    stream.broken = true;
  };
  progress.step = stream.steps[std::min(stream.next, stream.steps.size() - 1)];
  if (stream.broken) return progress;
  while (stream.next < stream.steps.size()) {
    progress.step = stream.steps[stream.next];
    const std::string recorded = TextAt(*stream.at, body_of(progress.step));
    const std::string_view expected = std::string_view(recorded).substr(stream.offset);
    const size_t same = std::min(expected.size(), rest.size());
    if (expected.substr(0, same) != rest.substr(0, same)) {
      fail(expected);
      break;
    }
    rest.remove_prefix(same);
    stream.offset += same;
    if (same < expected.size()) break;  // the rest of it may come
    finish();
    // Recorded pieces without text come with the text before them.
    if (rest.empty() && stream.next < stream.steps.size() &&
        !TextAt(*stream.at, body_of(stream.steps[stream.next])).empty()) {
      break;
    }
  }
  if (!progress.differs && !rest.empty() && stream.next == stream.steps.size()) fail("");
  // What follows would differ for the same reason, so nothing more of it is expected.
  while (stream.broken && stream.next < stream.steps.size()) finish();
  return progress;
}

bool Chunks::IsNext(StepIndex step) const {
  return std::any_of(streams_.begin(), streams_.end(), [step](const Stream& stream) {
    return stream.next < stream.steps.size() && stream.steps[stream.next] == step;
  });
}

StepIndex Chunks::FirstOf(uint64_t group) const {
  const auto stream = std::find_if(streams_.begin(), streams_.end(),
                                   [group](const Stream& s) { return s.group == group; });
  return stream == streams_.end() ? kNoStep : stream->steps[0];
}

}  // namespace midwire::replay
