#include "fuzz/reduce.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::fuzz {
namespace {

using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;

// A value at a deeper level is removed as a whole or not at all.
constexpr size_t kMaxLevels = 64;

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

  // Removes pieces of a list: halves, then quarters, down to single elements, which are repeated
  // until none can be removed. `without(first, count)` tries one removal.
  template <class Without>
  void Shrink(size_t count, const Without& without) {
    for (size_t piece = (count + 1) / 2; piece > 0 && count > 0 && !Spent();) {
      // From the end: early messages of a session rarely depend on later ones.
      size_t at = count;
      bool any = false;
      while (at > 0 && !Spent()) {
        const size_t first = at > piece ? at - piece : 0;
        if (without(first, at - first)) {
          count -= at - first;
          any = true;
        }
        at = first;
      }
      if (piece == 1 && !any) break;
      piece = piece == 1 ? 1 : piece / 2;
    }
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
    Input candidate = input();
    candidate.parts[part].SetBody(body);
    return Try(std::move(candidate));
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
    if (input().parts[part].junk() || !wire::IsLooseJson(input().parts[part].body())) return;
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
    const size_t left = Children(value()).size();
    for (size_t i = 0; i < left && !Spent(); ++i) {
      path->push_back(i);
      Node(part, path);
      path->pop_back();
    }
  }

  void Bytes(size_t part) {
    Part& target = input().parts[part];
    if (target.junk() || !wire::IsLooseJson(target.body())) {
      Shrink(target.body().size(), [&](size_t first, size_t count) {
        std::string body(input().parts[part].body());
        body.erase(first, count);
        return TryBody(part, std::move(body));
      });
      return;
    }
    std::vector<size_t> path;
    Strings(part, &path);
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
    const size_t count = Children(now).size();
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
