#include "fuzz/mutate/first_mutants.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "fuzz/mutate/tree_spans.h"
#include "wire/json/cursor.h"

namespace midwire::fuzz {

namespace {

// Larger bodies have more values than there are mutants.
constexpr size_t kMaxBody = 64 * 1024;
// Of all recorded bodies: more of the same protocol makes the start slower and finds no more.
constexpr size_t kMaxRead = 4u << 20;
// Messages before the one that is changed, which may create what it needs. More of them make the
// first mutants slow.
constexpr size_t kMostBefore = 16;
// The largest of 64 bits.
constexpr std::string_view kLargest = "9223372036854775807";

bool Never(Mutation*) { return false; }

std::string_view Unquoted(std::string_view text) {
  return text.size() < 2 ? text : text.substr(1, text.size() - 2);
}

}  // namespace

// Collects the edits of all messages, each once for a method and a place in its params.
class FirstEdits {
 public:
  using Edit = FirstMutants::Edit;
  explicit FirstEdits(size_t most) : most_(most) {}

  void Add(size_t input, size_t part, std::string_view body) {
    found_.clear();
    method_ = {};
    input_ = input, part_ = part;
    Scan(body);
    auto& kinds = methods_[std::string(method_)];
    for (auto& [kind, place, edit] : found_) {
      std::vector<Edit>& edits = kinds[kind];
      const std::string key =
          std::string(method_) + '\0' + place + '\0' + edit.with + static_cast<char>('0' + kind);
      if (edits.size() < most_ && seen_.insert(key).second) edits.push_back(std::move(edit));
    }
  }

  // In turns of the methods.
  std::vector<Edit> Take() {
    std::vector<std::vector<Edit>> queues;
    for (auto& [method, kinds] : methods_) {
      std::vector<Edit> all;
      for (auto& [kind, edits] : kinds)
        std::move(edits.begin(), edits.end(), std::back_inserter(all));
      queues.push_back(std::move(all));
    }
    std::vector<Edit> taken;
    for (size_t i = 0; taken.size() < most_; ++i) {
      const size_t before = taken.size();
      for (std::vector<Edit>& queue : queues) {
        if (i < queue.size() && taken.size() < most_) taken.push_back(std::move(queue[i]));
      }
      if (taken.size() == before) break;
    }
    return taken;
  }

 private:
  // In the order in which a method's mutants are tried.
  enum Kind : uint8_t { kZero, kFlip, kMinusOne, kMost, kEmpty, kDrop, kKinds };
  // For the ancestry of findings.
  static constexpr MutatorSpec kSpecs[kKinds] = {
      {"first.zero", Level::kTree, Never},      {"first.flip", Level::kTree, Never},
      {"first.minus-one", Level::kTree, Never}, {"first.largest", Level::kTree, Never},
      {"first.empty", Level::kTree, Never},     {"first.drop", Level::kTree, Never}};

  struct Found {
    Kind kind;
    std::string place;
    Edit edit;
  };

  void Scan(std::string_view body) {
    open_.clear();
    size_t name_at = 0, name_size = 0;
    wire::JsonCursor<> cursor(body);
    for (wire::JsonToken token; (token = cursor.Next()) != wire::JsonToken::kEnd;) {
      const std::string_view span = cursor.text();
      const auto at = static_cast<size_t>(span.data() - body.data());
      if (token == wire::JsonToken::kName) {
        name_at = at, name_size = span.size();
        continue;
      }
      const Node node{at,           span.size(), name_at, name_size, wire::TypeOf(body.substr(at)),
                      open_.empty()};
      name_size = 0;
      if (token == wire::JsonToken::kOpen) {
        open_.push_back(node);
      } else if (token != wire::JsonToken::kClose) {
        Offer(body, node);
      } else if (!open_.empty()) {
        Node closed = open_.back();
        open_.pop_back();
        closed.size = at + 1 - closed.at;
        Offer(body, closed);
      }
    }
  }

  void Offer(std::string_view body, const Node& node) {
    const std::string_view text = node.text(body), name = Unquoted(node.name(body));
    const bool container =
        node.type == wire::JsonType::kArray || node.type == wire::JsonType::kObject;
    if (open_.size() == 1 && (name == "method" || name == "command")) method_ = text;
    // Of the message itself, only params can be left out.
    if (open_.empty() || (open_.size() == 1 && !container)) return;
    const auto replace = [&](Kind kind, std::string_view with) {
      if (with != text) Keep(body, node, kind, {node.at, node.size}, with);
    };
    if (open_.size() > 1) {
      if (node.type == wire::JsonType::kNumber) {
        replace(kZero, "0");
        replace(kMinusOne, "-1");
        replace(kMost, kLargest);
      }
      if (node.type == wire::JsonType::kBool) replace(kFlip, text == "true" ? "false" : "true");
      if (node.type == wire::JsonType::kArray) replace(kEmpty, "[]");
    }
    if (node.member()) Keep(body, node, kDrop, WithComma(body, node), "");
  }

  void Keep(std::string_view body, const Node& node, Kind kind, Span span, std::string_view with) {
    std::string place;
    for (const Node& each : open_) place.append(each.name(body)) += '/';
    place += node.name(body);
    Edit edit;
    edit.input = input_, edit.part = part_;
    edit.at = span.at, edit.size = span.size;
    edit.with = with;
    edit.kind = &kSpecs[kind];
    found_.push_back(Found{kind, std::move(place), std::move(edit)});
  }

  const size_t most_;
  size_t input_ = 0, part_ = 0;
  std::string_view method_;
  std::vector<Node> open_;
  std::vector<Found> found_;
  std::map<std::string, std::map<Kind, std::vector<Edit>>> methods_;
  std::set<std::string> seen_;
};

FirstMutants::FirstMutants(const std::vector<Input>* recorded, const Options& options)
    : options_(options), recorded_(recorded), next_(options.job) {
  FirstEdits edits(options.most);
  size_t read = 0;
  for (size_t input = 0; input < recorded->size(); ++input) {
    const std::vector<Part>& parts = (*recorded)[input].parts;
    for (size_t i = 0; i < parts.size() && read < kMaxRead; ++i) {
      if (parts[i].junk() || parts[i].body().size() > kMaxBody) continue;
      read += parts[i].body().size();
      edits.Add(input, i, parts[i].body());
    }
  }
  edits_ = edits.Take();
}

bool FirstMutants::Next(Input* mutant, Ancestry* ancestry) {
  if (next_ >= edits_.size()) return false;
  const Edit& edit = edits_[next_];
  next_ += options_.jobs;
  const std::vector<Part>& parts = (*recorded_)[edit.input].parts;
  const size_t from = edit.part - std::min(edit.part, kMostBefore);
  mutant->parts.assign(parts.begin() + static_cast<ptrdiff_t>(from),
                       parts.begin() + static_cast<ptrdiff_t>(edit.part) + 1);
  Part& part = mutant->parts.back();
  std::string body(part.body());
  body.replace(edit.at, edit.size, edit.with);
  part.SetBody(body);
  *ancestry = {{edit.kind, edit.part - from}};
  return true;
}

}  // namespace midwire::fuzz
