#include "fuzz/traits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "wire/contains.h"
#include "wire/json/ascii.h"
#include "wire/json/cursor.h"
#include "wire/json/decimal.h"
#include "wire/json/fault.h"
#include "wire/json/parts.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"

namespace midwire::fuzz {
namespace {

using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;

// Levels of a message whose values are traits: the arguments of a request are at the third.
constexpr int kLevels = 5;
// Values of a message, and elements of a batch, that are looked at.
constexpr size_t kMaxValues = 128, kMaxElements = 8;
// Values up to this size are a trait as they are.
constexpr size_t kMaxExact = 32;
// Bytes of a header or of junk whose form is a trait, and of a method that is a name.
constexpr size_t kMaxForm = 64, kMaxMethod = 64;
// The smallest powers of two that are traits: smaller messages are usual.
constexpr int kLeastBytes = 5, kLeastParts = 2, kLeastDepth = 3, kLeastBody = 9, kLeastHead = 6;

constexpr std::string_view kMethodNames[] = {"\"method\"", "\"command\"", "\"event\""};
constexpr std::string_view kUsual[] = {"jsonrpc", "id", "method", "params"};

constexpr int kJsonTypes = 6;

std::string_view NameOf(JsonType type) {
  constexpr std::string_view kNames[] = {"null",     "a boolean", "a number",
                                         "a string", "an array",  "an object"};
  return kNames[static_cast<int>(type)];
}

unsigned Bit(JsonType type) { return 1u << static_cast<unsigned>(type); }

std::string_view Unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"'
             ? text.substr(1, text.size() - 2)
             : text;
}

// The first member with one of these names.
template <class Names>
std::string_view Member(std::string_view object, const Names& names) {
  if (object.empty() || object.front() != '{') return {};
  JsonParts parts(object);
  JsonPart part;
  for (size_t i = 0; i < kMaxValues && parts.Next(&part); ++i) {
    if (std::find(std::begin(names), std::end(names), part.name) != std::end(names)) {
      return part.value;
    }
  }
  return {};
}

// With `#` for each number, so that a length does not matter: "Content-Length: #\r\n\r\n".
std::string FormOf(std::string_view text) {
  std::string form;
  for (const char c : text.substr(0, kMaxForm)) {
    const bool digit = wire::IsDigit(c);
    if (!digit || form.empty() || form.back() != '#') form += digit ? '#' : c;
  }
  return form;
}

size_t DepthOf(std::string_view text) {
  size_t depth = 0;
  wire::JsonCursor<> cursor(text);
  for (wire::JsonToken token; (token = cursor.Next()) != wire::JsonToken::kEnd;) {
    depth = std::max(depth, cursor.depth());
  }
  return depth;
}

class Visitor {
 public:
  Visitor(const UsualMembers& usual, const TraitSink& sink) : usual_(usual), sink_(sink) {}

  void Visit(const Part& part) {
    Frame(part);
    const std::string_view body = wire::Trimmed(part.body());
    Text(part.body());
    if (body.empty()) return Any(TraitRank::kText, "empty");
    if (body.front() == '{') return Object(body);
    const JsonType type = wire::TypeOf(body);
    Any(TraitRank::kText, "it is ", NameOf(type));
    if (type != JsonType::kArray) return;
    JsonParts parts(body);
    JsonPart element;
    size_t count = 0;
    while (parts.Next(&element)) {
      if (++count > kMaxElements) continue;
      if (!element.value.empty() && element.value.front() == '{') {
        Object(element.value);
      } else {
        Any(TraitRank::kType, "an element is ", NameOf(wire::TypeOf(element.value)));
      }
    }
    if (count == 0) Any(TraitRank::kClass, "an empty batch");
    Powers(TraitRank::kClass, "batch of ", count, kLeastParts);
  }

 private:
  // A trait of any message.
  void Any(TraitRank rank, std::string_view a, std::string_view b = {}) {
    sink_(rank, "", text_.assign(a).append(b));
  }
  // A trait of the value at path_.
  void At(TraitRank rank, std::string_view what) {
    text_.assign(path_).append(what);
    if (!method_.empty()) sink_(rank, method_, text_);
    sink_(rank, "", text_);
  }
  // One trait per power of two that the number reaches, from 2^least on.
  void Powers(TraitRank rank, std::string_view what, size_t number, int least) {
    const int highest = std::bit_width(number) - 1;
    for (int power = least; power <= highest; ++power) {
      const std::string reached = std::to_string(size_t{1} << power) + " or more";
      path_.empty() ? Any(rank, what, reached) : At(rank, std::string(what) + reached);
    }
  }

  void Frame(const Part& part) {
    if (part.junk()) {
      const std::string_view line =
          std::string_view(part.bytes).substr(0, part.bytes.find_first_of("\r\n"));
      Any(TraitRank::kText, "bytes outside of messages: ", FormOf(line));
      Any(TraitRank::kText, "bytes outside of messages");
    }
    if (part.framing != wire::Framing::kContentLength) return;
    const std::string_view head = std::string_view(part.bytes).substr(0, part.head);
    Any(TraitRank::kText, "header: ", FormOf(head));
    Powers(TraitRank::kText, "bytes of header: ", head.size(), kLeastHead);
    Powers(TraitRank::kText,
           "lines of header: ", static_cast<size_t>(std::count(head.begin(), head.end(), '\n')),
           kLeastParts);
  }

  void Text(std::string_view body) {
    Powers(TraitRank::kText, "bytes of the body: ", body.size(), kLeastBody);
    Powers(TraitRank::kText, "depth: ", DepthOf(body), kLeastDepth);
    if (!wire::IsLooseJson(body)) {
      const auto fault = wire::FindJsonFault(body);
      if (fault) Any(TraitRank::kText, "not JSON: ", fault->what);
      Any(TraitRank::kText, "not JSON");
    }
    if (!wire::IsUtf8(body)) Any(TraitRank::kText, "not UTF-8");
    if (body.starts_with("\ufeff")) Any(TraitRank::kText, "byte order mark");
    if (body.find('\\') != body.npos) {
      Any(TraitRank::kText, "an escape");
      if (wire::FindLoneSurrogate(body)) Any(TraitRank::kText, "lone surrogate");
      if (wire::Contains(body, "\\u0000")) Any(TraitRank::kText, "escaped NUL");
    }
  }

  void Object(std::string_view object) {
    method_ = Unquoted(Member(object, kMethodNames)).substr(0, kMaxMethod);
    present_.clear();
    types_ = usual_.Of(method_);
    Members(object, 1);
    const auto has = [&](std::string_view name) {
      return std::find(present_.begin(), present_.end(), name) != present_.end();
    };
    if (!method_.empty()) {
      At(TraitRank::kType, has("/id") ? "a request" : "a notification");
      sink_(types_ != nullptr ? TraitRank::kType : TraitRank::kExact, "",
            text_.assign("method ").append(method_));
    }
    if (types_ != nullptr) {
      for (const auto& [pointer, types] : *types_) Missing(pointer);
    } else {
      for (const std::string_view name : kUsual) Missing("/" + std::string(name));
    }
    method_ = {};
    types_ = nullptr;
    path_.clear();
  }

  void Missing(const std::string& pointer) {
    if (std::find(present_.begin(), present_.end(), pointer) != present_.end()) return;
    path_ = pointer;
    At(TraitRank::kType, " is missing");
  }

  void Members(std::string_view container, int level) {
    const bool object = container.front() == '{';
    const size_t outer = path_.size();
    std::vector<std::string_view> names;
    bool twice = false;
    JsonParts parts(container);
    JsonPart part;
    size_t count = 0;
    while (parts.Next(&part)) {
      ++count;
      if (values_ >= kMaxValues || part.value.empty()) continue;
      path_ += '/';
      if (object) {
        const std::string_view name = Unquoted(part.name);
        twice = twice || std::find(names.begin(), names.end(), name) != names.end();
        names.push_back(name);
        path_ += name.substr(0, kMaxForm);
        present_.push_back(path_);
      } else {
        path_ += '-';  // of an array, all elements have one pointer
      }
      Value(part.value, level);
      path_.resize(outer);
    }
    if (twice) At(TraitRank::kClass, " has a name twice");
    if (count == 0) At(TraitRank::kClass, " is empty");
    Powers(TraitRank::kClass, " has parts: ", count, level == 1 ? kLeastDepth : kLeastParts);
  }

  // The recursion is at most kLevels deep.
  void Value(std::string_view value, int level) {
    ++values_;
    const JsonType type = wire::TypeOf(value);
    const auto usual =
        types_ != nullptr ? types_->find(path_) : UsualMembers::Types::const_iterator();
    if (types_ != nullptr && usual != types_->end() && (usual->second & Bit(type)) == 0) {
      At(TraitRank::kType, " has an unusual type");
    }
    At(TraitRank::kType, " is " + std::string(NameOf(type)));
    if (type == JsonType::kObject || type == JsonType::kArray) {
      if (level < kLevels) Members(value, level + 1);
      return;
    }
    if (type == JsonType::kString) String(Unquoted(value));
    if (type == JsonType::kNumber) Number(value);
    if (value.size() <= kMaxExact) At(TraitRank::kExact, " = " + std::string(value));
  }

  void String(std::string_view text) {
    if (text.empty()) At(TraitRank::kClass, " is empty");
    Powers(TraitRank::kClass, " has bytes: ", text.size(), kLeastBytes);
    const bool ascii = std::all_of(text.begin(), text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii) At(TraitRank::kClass, " is not ASCII");
    for (const std::string_view has : {"\\", "%", "..", "/", "\\ud", "\\u0000", " ", "'", "<"}) {
      if (wire::Contains(text, has)) At(TraitRank::kClass, " contains " + std::string(has));
    }
  }

  void Number(std::string_view text) {
    const char* const end = text.data() + text.size();
    if (wire::SkipJsonNumber(text.data(), end) != end) {
      return At(TraitRank::kClass, " is no number of JSON");
    }
    if (text.front() == '-') At(TraitRank::kClass, " is negative");
    if (text.find_first_of(".eE") != text.npos) At(TraitRank::kClass, " is not written as integer");
    if (wire::CompareNumbers(text, "0") == 0) At(TraitRank::kClass, " is zero");
    const std::string_view size = text.substr(text.front() == '-' ? 1 : 0);
    for (const std::string_view limit :
         {"1000", "65536", "2147483648", "4294967296", "9007199254740992", "9223372036854775808"}) {
      if (wire::CompareNumbers(size, limit) >= 0) {
        At(TraitRank::kClass, " is " + std::string(limit) + " or more");
      }
    }
  }

  const UsualMembers& usual_;
  const TraitSink& sink_;
  std::string_view method_;
  const UsualMembers::Types* types_ = nullptr;  // of its method
  std::string path_, text_;
  std::vector<std::string> present_;  // pointers of members
  size_t values_ = 0;
};

}  // namespace

void VisitTraits(const Part& part, const UsualMembers& usual, const TraitSink& sink) {
  Visitor(usual, sink).Visit(part);
}

std::string_view MethodOf(const Part& part) {
  return Unquoted(Member(wire::Trimmed(part.body()), kMethodNames)).substr(0, kMaxMethod);
}

std::string_view IdOf(const Part& part) {
  constexpr std::string_view kNames[] = {"\"id\"", "\"seq\""};
  return Member(wire::Trimmed(part.body()), kNames);
}

void UsualMembers::Add(const Input& input) {
  for (const Part& part : input.parts) {
    const std::string_view method = MethodOf(part);
    if (method.empty()) continue;
    Types& types = methods_[std::string(method)];
    // A trait of a type names each member: "/params/path is a string".
    VisitTraits(part, {}, [&](TraitRank rank, std::string_view of, std::string_view what) {
      if (rank != TraitRank::kType || of.empty() || what.front() != '/') return;
      for (int i = 0; i < kJsonTypes; ++i) {
        const auto type = static_cast<JsonType>(i);
        const std::string end = " is " + std::string(NameOf(type));
        if (what.ends_with(end))
          types[std::string(what.substr(0, what.size() - end.size()))] |= Bit(type);
      }
    });
    std::erase_if(types, [](const auto& each) { return each.first.find("/-") != each.first.npos; });
  }
}

const UsualMembers::Types* UsualMembers::Of(std::string_view method) const {
  const auto found = methods_.find(method);
  return found == methods_.end() ? nullptr : &found->second;
}

}  // namespace midwire::fuzz
