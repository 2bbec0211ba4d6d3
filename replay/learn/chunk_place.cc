#include "replay/learn/chunk_place.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "replay/script/script.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

constexpr size_t kMaxCandidatePlaces = 32;

// The texts by what their messages have in common, and how many messages are no piece of a text.
struct Texts {
  std::map<wire::ValueHash, std::string> joined;
  size_t others = 0;
  bool operator==(const Texts&) const = default;
};

Texts Joined(const std::vector<std::string>& bodies, const wire::Pointer& at) {
  Texts texts;
  for (const std::string& body : bodies) {
    const auto text = wire::IsLooseJson(body) ? wire::ValueAt(body, at) : std::nullopt;
    if (!text || wire::TypeOf(*text) != wire::JsonType::kString) {
      ++texts.others;
      continue;
    }
    std::string rest = body;
    rest.replace(static_cast<size_t>(text->data() - body.data()), text->size(), "\"\"");
    if (const auto seq = wire::ValueAt(rest, kSeq)) {
      rest.replace(static_cast<size_t>(seq->data() - rest.data()), seq->size(), "0");
    }
    texts.joined[wire::HashValue(rest)] += wire::StringValue(*text);
  }
  std::erase_if(texts.joined, [](const auto& text) { return text.second.empty(); });
  return texts;
}

}  // namespace

std::optional<std::string> ChunkPlaceOf(const std::vector<std::string>& recorded,
                                        std::span<const std::vector<std::string>* const> runs) {
  std::set<std::string> places;
  for (const std::string& body : recorded) {
    if (!wire::IsLooseJson(body)) continue;
    wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
      if (path.size() > 1 && wire::TypeOf(value) == wire::JsonType::kString &&
          places.size() < kMaxCandidatePlaces) {
        places.insert(wire::PointerText(path));
      }
    });
  }
  for (const std::string& place : places) {
    const auto at = wire::ParsePointer(place);
    if (!at) continue;
    const Texts whole = Joined(recorded, *at);
    const bool same = std::all_of(runs.begin(), runs.end(),
                                  [&](const auto* run) { return Joined(*run, *at) == whole; });
    if (same && !whole.joined.empty()) return place;
  }
  return std::nullopt;
}

}  // namespace midwire::replay
