#include "fuzz/reduce.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/repeats.h"
#include "fuzz/shrink.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"
#include "wire/message_scanner.h"

namespace midwire::fuzz {
namespace {

using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;

// A value at a deeper level is removed as a whole or not at all.
constexpr size_t kMaxLevels = 64;
// The depth at which a stack overflows varies from process to process, by some levels. So a depth
// above this is searched to within one part in 64, and then gets that much in addition. It is not
// searched again unless an eighth of it can go.
constexpr size_t kDeep = 1024, kDepthGap = 64, kWorthIt = 8;

bool HasJson(const Part& part) {  // of any depth
  return !part.junk() && (wire::IsLooseJson(part.body()) || wire::IsJson(part.body()));
}

wire::Message MessageOf(std::string_view body) {
  wire::MessageScanner scanner;
  scanner.Start(/*line=*/false);
  scanner.Feed(body);
  return scanner.Finish();
}

// Whether a message is left of a message: what is smaller by its id or "jsonrpc" alone shows the
// same in many peers, but its reader looks for the fault in what is missing.
bool StaysMessage(const Part& part, std::string_view body) {
  if (!HasJson(part)) return true;
  const wire::Message before = MessageOf(part.body());
  if (before.kind == wire::Kind::kInvalid || before.kind == wire::Kind::kBatch) return true;
  const wire::Message after = MessageOf(body);
  return after.kind == before.kind && (after.flags & ~before.flags) == 0;
}

// The lines of a header block that may be removed: all but the length and the empty one.
std::vector<std::string_view> ExtraLines(std::string_view head) {
  constexpr std::string_view kLength = "content-length";
  std::vector<std::string_view> lines;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n') + 1);
    if (line.empty()) break;
    const bool length = line.size() > kLength.size() &&
                        std::equal(kLength.begin(), kLength.end(), line.begin(),
                                   [](char a, char b) { return a == static_cast<char>(b | 0x20); });
    if (!length && line != "\r\n" && line != "\n") lines.push_back(line);
    head.remove_prefix(line.size());
  }
  return lines;
}

class Reducer {
 public:
  Reducer(Input input, const std::function<bool(const Input&)>& still, const ReduceOptions& options)
      : still_(still), options_(options) {
    reduced_.input = std::move(input);
  }

  Reduced Run() {
    size_t before;
    do {
      before = Cost();
      if (options_.messages) Messages();
      for (size_t i = 0; i < input().parts.size() && !Spent(); ++i) {
        if (options_.nodes) Repeats(i);
        if (options_.nodes) Nodes(i);
        if (options_.bytes) Bytes(i);
      }
    } while (Cost() < before && !Spent());
    reduced_.finished = !Spent();
    return std::move(reduced_);
  }

 private:
  Input& input() { return reduced_.input; }
  size_t Cost() { return input().size() + input().parts.size(); }
  bool Spent() const {
    return reduced_.tests >= options_.max_tests || (options_.stop && options_.stop());
  }

  bool Try(Input candidate) {
    if (Spent()) return false;
    ++reduced_.tests;
    if (!still_(candidate)) return false;
    input() = std::move(candidate);
    return true;
  }

  template <class Without>
  void Shrink(size_t count, const Without& without) {
    fuzz::Shrink(count, without, [this] { return Spent(); });
  }

  void Messages() {
    Shrink(input().parts.size(), [&](size_t first, size_t count) {
      Input candidate = input();
      const auto begin = candidate.parts.begin() + static_cast<std::ptrdiff_t>(first);
      candidate.parts.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
      return Try(std::move(candidate));
    });
  }

  bool TryBody(size_t part, std::string body) {
    if (!StaysMessage(input().parts[part], body)) return false;
    Input candidate = input();
    candidate.parts[part].SetBody(body);
    return Try(std::move(candidate));
  }

  // Refuses a head by which the bytes are no longer one message.
  bool TryHead(size_t part, const std::string& head) {
    Input candidate = input();
    Part& changed = candidate.parts[part];
    changed.bytes.replace(0, changed.head, head);
    changed.head = head.size();
    const Input parsed = ParseInput(changed.bytes, changed.framing);
    const bool framed =
        parsed.parts.size() == 1 && !parsed.parts[0].junk() && parsed.parts[0].head == head.size();
    return framed && Try(std::move(candidate));
  }

  void Repeats(size_t part) {
    Runs([&] { return input().parts[part].body(); },
         [&](std::string body) { return TryBody(part, std::move(body)); });
    if (input().parts[part].framing != wire::Framing::kContentLength) return;
    const auto head = [&] {
      return std::string_view(input().parts[part].bytes).substr(0, input().parts[part].head);
    };
    Runs(head, [&](const std::string& made) { return TryHead(part, made); });
    Shrink(ExtraLines(head()).size(), [&](size_t first, size_t count) {
      std::string made(head());
      const auto lines = ExtraLines(head());
      for (size_t i = first + count; i-- > first;) {
        made.erase(static_cast<size_t>(lines[i].data() - head().data()), lines[i].size());
      }
      return TryHead(part, made);
    });
  }

  // Shortens what is repeated in a text, from its end on: nesting together with what closes it, so
  // that the text stays JSON.
  template <class Text, class TryText>
  void Runs(const Text& text, const TryText& try_text) {
    std::vector<Repeat> runs = FindRepeats(text());
    for (size_t i = runs.size(); i-- > 0 && !Spent();) {
      const std::string before(text());
      const int nesting = Nesting(before, runs[i]);
      const bool opened = std::any_of(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(i),
                                      [&](const Repeat& run) { return Nesting(before, run) > 0; });
      if (nesting < 0 && opened) continue;
      size_t closing = i + 1;
      while (closing < runs.size() && Nesting(before, runs[closing]) >= 0) ++closing;
      if (nesting > 0 && closing < runs.size()) {
        Shorten(before, {runs[i], runs[closing]}, try_text);
        runs = FindRepeats(text());
        if (i >= runs.size()) continue;
      }
      Shorten(std::string(text()), {runs[i]}, try_text);
      runs = FindRepeats(text());
    }
  }

  // Searches how often the runs must be repeated, all of them as often less. More repetitions are
  // taken to show what fewer show.
  template <class TryText>
  void Shorten(const std::string& before, const std::vector<Repeat>& runs,
               const TryText& try_text) {
    size_t count = runs[0].count;
    for (const Repeat& run : runs) count = std::min(count, run.count);
    const auto shows = [&](size_t left) {
      std::string made = before;
      for (size_t i = runs.size(); i-- > 0;) {
        made.erase(runs[i].at, (count - left) * runs[i].unit);
      }
      return try_text(std::move(made));
    };
    if (count < 2 || shows(1)) return;
    const bool deep = count > kDeep && Nesting(before, runs[0]) != 0;
    const size_t high = deep ? count - count / kWorthIt : count - 1;
    if (!shows(high)) return;
    const size_t left = Bisect(1, high, deep ? kDepthGap : SIZE_MAX, shows);
    if (deep && left > kDeep) shows(std::min(high, left + left / kDepthGap));
  }

  // The value at `path`, a list of indices of members or elements from the root.
  static std::string_view At(std::string_view body, const std::vector<size_t>& path) {
    std::string_view value = wire::Trimmed(body);
    for (const size_t index : path) {
      JsonParts parts(value);
      JsonPart part;
      for (size_t i = 0; i <= index; ++i) {
        if (!parts.Next(&part)) return {};
      }
      value = part.value;
    }
    return value;
  }

  static std::vector<JsonPart> Children(std::string_view value) {
    std::vector<JsonPart> children;
    if (value.empty() || (value[0] != '{' && value[0] != '[')) return children;
    JsonParts parts(value);
    JsonPart part;
    while (parts.Next(&part)) children.push_back(part);
    return children;
  }

  // The container without `count` children from `first` on.
  static std::string Joined(std::string_view container, const std::vector<JsonPart>& children,
                            size_t first, size_t count) {
    std::string made(1, container.front());
    for (size_t i = 0; i < children.size(); ++i) {
      if (i >= first && i < first + count) continue;
      if (made.size() > 1) made += ',';
      if (!children[i].name.empty()) (made += children[i].name) += ':';
      made += children[i].value;
    }
    made += container.back();
    return made;
  }

  bool Replace(size_t part, std::string_view what, std::string_view with) {
    const std::string_view body = input().parts[part].body();
    std::string made(body);
    made.replace(static_cast<size_t>(what.data() - body.data()), what.size(), with);
    return TryBody(part, std::move(made));
  }

  void Nodes(size_t part) {
    if (!HasJson(input().parts[part])) return;
    std::vector<size_t> path;
    Node(part, &path);
  }

  // The recursion is at most kMaxLevels deep.
  void Node(size_t part, std::vector<size_t>* path) {
    const auto value = [&] { return At(input().parts[part].body(), *path); };
    const std::string_view now = value();
    if (now.empty() || Spent()) return;
    const JsonType type = wire::TypeOf(now);
    // The root stays: it is the message.
    if (!path->empty() && now.size() > 4) {
      for (const std::string_view small : {"{}", "[]", "\"\"", "0", "null"}) {
        const bool same_type = wire::TypeOf(small) == type;
        if (same_type && now != small && Replace(part, now, small)) return;
      }
    }
    if (type != JsonType::kObject && type != JsonType::kArray) return;
    Shrink(Children(now).size(), [&](size_t first, size_t count) {
      const std::string_view container = value();
      return Replace(part, container, Joined(container, Children(container), first, count));
    });
    if (path->size() >= kMaxLevels) return;
    const size_t left = std::min(Children(value()).size(), kLongList);
    for (size_t i = 0; i < left && !Spent(); ++i) {
      path->push_back(i);
      Node(part, path);
      path->pop_back();
    }
  }

  void Bytes(size_t part) {
    Part& target = input().parts[part];
    if (!HasJson(target)) {
      ShrinkBytes(part);
      return;
    }
    std::vector<size_t> path;
    Strings(part, &path);
  }

  // Removes bytes, but what is repeated only as a whole: Repeats has found its length.
  void ShrinkBytes(size_t part) {
    std::vector<size_t> sizes;
    const std::string_view now = input().parts[part].body();
    size_t at = 0;
    for (const Repeat& run : FindRepeats(now)) {
      sizes.resize(sizes.size() + run.at - at, 1);
      sizes.push_back(run.size());
      at = run.end();
    }
    sizes.resize(sizes.size() + now.size() - at, 1);
    Shrink(sizes.size(), [&](size_t first, size_t count) {
      const auto from = sizes.begin() + static_cast<std::ptrdiff_t>(first);
      const auto to = from + static_cast<std::ptrdiff_t>(count);
      std::string body(input().parts[part].body());
      body.erase(std::accumulate(sizes.begin(), from, size_t{0}),
                 std::accumulate(from, to, size_t{0}));
      if (!TryBody(part, std::move(body))) return false;
      sizes.erase(from, to);
      return true;
    });
  }

  void Strings(size_t part, std::vector<size_t>* path) {
    const std::string_view now = At(input().parts[part].body(), *path);
    if (now.empty() || Spent()) return;
    const JsonType type = wire::TypeOf(now);
    if (type == JsonType::kString && now.size() > 3) {
      Shrink(now.size() - 2, [&](size_t first, size_t count) {
        const std::string_view string = At(input().parts[part].body(), *path);
        std::string with(string);
        with.erase(1 + first, count);
        return wire::IsLooseJson(with) && Replace(part, string, with);
      });
    }
    if ((type != JsonType::kObject && type != JsonType::kArray) || path->size() >= kMaxLevels)
      return;
    const size_t count = std::min(Children(now).size(), kLongList);
    for (size_t i = 0; i < count && !Spent(); ++i) {
      path->push_back(i);
      Strings(part, path);
      path->pop_back();
    }
  }

  const std::function<bool(const Input&)>& still_;
  const ReduceOptions& options_;
  Reduced reduced_;
};

}  // namespace

Reduced Reduce(Input input, const std::function<bool(const Input&)>& still,
               const ReduceOptions& options) {
  return Reducer(std::move(input), still, options).Run();
}

}  // namespace midwire::fuzz
