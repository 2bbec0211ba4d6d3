#include "fuzz/vocabulary.h"

#include "wire/json/ascii.h"
#include "wire/json/cursor.h"
#include "wire/json/decimal.h"
#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

bool OneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  for (const std::string_view each : words) {
    if (word == each) return true;
  }
  return false;
}

}  // namespace

void Vocabulary::List::Add(std::string_view value, size_t max_size) {
  if (value.empty() || value.size() > max_size || values.size() >= kMaxWords) return;
  if (bytes + value.size() > kMaxWordBytes) return;
  if (!seen.emplace(value).second) return;
  values.emplace_back(value);
  bytes += value.size();
}

const std::vector<std::string>& Vocabulary::Of(const Lists& lists, std::string_view name) {
  static const std::vector<std::string> kNone;
  const auto found = lists.find(name);
  return found != lists.end() ? found->second.values : kNone;
}

void Vocabulary::AddTo(Lists* lists, std::string_view name, std::string_view value) {
  if (name.empty() || name.size() > kMaxWordSize || value.size() > kMaxTokenSize) return;
  if (listed_bytes_ + name.size() + value.size() > kMaxWordBytes) return;
  auto list = lists->find(name);
  if (list == lists->end()) {
    if (lists->size() >= kMaxWords) return;
    list = lists->emplace(name, List()).first;
    listed_bytes_ += name.size();
  }
  if (list->second.values.size() >= kMaxNamed) return;
  const size_t before = list->second.bytes;
  list->second.Add(value, kMaxTokenSize);
  listed_bytes_ += list->second.bytes - before;
}

// One pass over a body of loose JSON, without recursion.
class Vocabulary::Walk {
 public:
  Walk(Vocabulary* words, bool dap, std::string_view body)
      : words_(words), dap_(dap), body_(body), top_(body.starts_with('[') ? 1 : 0) {}

  void Run() {
    wire::JsonCursor<> cursor(body_);
    for (wire::JsonToken token; (token = cursor.Next()) != wire::JsonToken::kEnd;) {
      const std::string_view text = cursor.text();
      switch (token) {
        case wire::JsonToken::kOpen:
          open_.push_back({text.data(), name_});
          break;
        case wire::JsonToken::kClose:
          Close(text.data() + text.size());
          break;
        case wire::JsonToken::kName:
          words_->keys_.Add(text, kMaxWordSize);
          name_ = text;
          break;
        default:
          Scalar(text);
      }
    }
  }

 private:
  struct Open {
    const char* at;
    std::string_view name;  // of its member, with its quotes
  };

  // Whether the value is a member of the message itself.
  bool at_top() const { return open_.size() == top_ + 1; }

  void Scalar(std::string_view value) {
    const bool text = value.starts_with('"');
    const bool number = value[0] == '-' || wire::IsDigit(value[0]);
    if (at_top() && IsMethod() && text) return words_->methods_.Add(value, kMaxWordSize);
    if (at_top() && IsId()) return words_->ids_.Add(value, kMaxWordSize);
    if (at_top() && name_ == "\"jsonrpc\"") return;
    const bool code = open_.size() == top_ + 2 && open_.back().name == "\"error\"" &&
                      name_ == "\"code\"" && number;
    if (code) return words_->codes_.Add(value, kMaxWordSize);
    if (!at_top() && value != "null") words_->AddTo(&words_->named_, name_, value);
    if (text) words_->strings_.Add(value, kMaxWordSize);
    if (number) words_->numbers_.Add(value, kMaxWordSize);
  }
  bool IsMethod() const {
    return name_ == "\"method\"" || (dap_ && OneOf(name_, {"\"command\"", "\"event\""}));
  }
  bool IsId() const {
    return name_ == "\"id\"" || (dap_ && OneOf(name_, {"\"seq\"", "\"request_seq\""}));
  }

  void Close(const char* end) {
    const Open open = open_.back();
    open_.pop_back();
    if (open_.size() > top_) {
      words_->trees_.Add({open.at, static_cast<size_t>(end - open.at)}, kMaxTreeSize);
    }
    // The next element of an array has the array's name.
    name_ = open_.empty() ? std::string_view() : open_.back().name;
  }

  Vocabulary* words_;
  bool dap_;
  std::string_view body_;
  size_t top_;             // number of containers around a message: 1 in a batch
  std::string_view name_;  // of the current value
  std::vector<Open> open_;
};

void Vocabulary::AddMessage(wire::Direction direction, const wire::Message& message,
                            std::string_view body) {
  if (!wire::IsLooseJson(body)) return;
  bodies_[static_cast<int>(direction)].Add(body, kMaxBodySize);
  Walk(this, (message.flags & wire::kDap) != 0, body).Run();
}

// Adds a limit and its two neighbours, if it is an integer.
void Vocabulary::AddNumber(std::string_view spelt) {
  numbers_.Add(spelt, kMaxWordSize);
  int64_t value = 0;
  if (!wire::ParseNumber(spelt, &value)) return;
  if (value > INT64_MIN) numbers_.Add(std::to_string(value - 1), kMaxWordSize);
  if (value < INT64_MAX) numbers_.Add(std::to_string(value + 1), kMaxWordSize);
}

void Vocabulary::AddDialect(const wire::Dialect& dialect) {
  const auto add_method = [this](std::string_view name) {
    if (name.ends_with('*')) name.remove_suffix(1);
    if (!name.empty()) methods_.Add(wire::JsonString(name), kMaxWordSize);
  };
  for (const auto& [name, spec] : dialect.methods) {
    add_method(name);
    for (const int64_t code : spec.errors) codes_.Add(std::to_string(code), kMaxWordSize);
    for (const auto* schema : {&spec.params, &spec.result}) {
      if (!*schema) continue;
      const wire::SchemaWords words = (*schema)->Words();
      for (const std::string& member : words.members)
        keys_.Add(wire::JsonString(member), kMaxWordSize);
      for (const std::string& value : words.values) {
        if (value.starts_with('"')) {
          strings_.Add(value, kMaxWordSize);
        } else if (value.starts_with('{') || value.starts_with('[')) {
          trees_.Add(value, kMaxTreeSize);
        } else if (!OneOf(value, {"null", "true", "false"})) {
          numbers_.Add(value, kMaxWordSize);
        }
        const bool scalar = !value.starts_with('{') && !value.starts_with('[');
        if (scalar && schema == &spec.params) AddTo(&choices_, wire::JsonString(name), value);
      }
      for (const std::string& limit : words.limits) AddNumber(limit);
    }
  }
  for (const auto* names : {&dialect.detect_methods, &dialect.first, &dialect.last}) {
    for (const std::string& name : *names) add_method(name);
  }
  for (const auto& [code, text] : dialect.error_codes) {
    codes_.Add(std::to_string(code), kMaxWordSize);
  }
}

}  // namespace midwire::fuzz
