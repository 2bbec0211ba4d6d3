#include "trace/redact/patterns.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "trace/redact/nested_encoding.h"
#include "trace/redact/randomness.h"
#include "trace/redact/telling_names.h"
#include "wire/json/ascii.h"

namespace midwire::trace::redact {
namespace {

// Shapes of one automaton: with 6, 12 and 24, a text of 0.6 MB took 746, 694 and 781 million
// instructions, with all of them 1177.
constexpr size_t kShapesOfPart = 12;
// For the program and the states of these together, of which RE2 keeps those that texts reach.
constexpr int64_t kPartMemory = 8 << 20;
constexpr int64_t kMaxMemory = 8 << 20;
// Expressions written by hand have about 100 bytes.
constexpr size_t kMaxExpression = 4096;

// A private key begins and ends with a line end, which is no part of it.
std::string_view WithoutBlanks(std::string_view text) {
  static constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool IsWordOfText(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    return wire::IsLower(c) || wire::IsUpper(c) || c == '_' || c == '-';
  });
}

bool IsMixed(std::string_view word) {
  return std::any_of(word.begin(), word.end(), wire::IsDigit) &&
         std::any_of(word.begin(), word.end(), wire::IsLetter);
}

bool IsSure(Telling name, std::string_view value, Written written) {
  const NamedSecret found = SecretBeside(name, value, written);
  return found.sure && !found.text.empty();
}

bool Passes(ShapeCheck check, std::string_view secret) {
  switch (check) {
    case ShapeCheck::kNone:
      return true;
    case ShapeCheck::kMixed:
      return IsMixed(secret);
    case ShapeCheck::kRandom:
      return IsRandomWord(secret);
    case ShapeCheck::kQuoted:
      return IsSure(Telling::kSecret, secret, Written::kQuoted);
    case ShapeCheck::kBare:
      return IsSure(Telling::kSecret, secret, Written::kBare);
    case ShapeCheck::kPassQuoted:
      return IsSure(Telling::kPassword, secret, Written::kQuoted);
    case ShapeCheck::kPassBare:
      return IsSure(Telling::kPassword, secret, Written::kBare);
    case ShapeCheck::kCookie:
      return IsSure(Telling::kCookie, secret, Written::kQuoted);
    case ShapeCheck::kBasic: {
      const std::string bytes = Base64Prefix(secret);
      return bytes.find(':') != bytes.npos && std::all_of(bytes.begin(), bytes.end(), [](char c) {
               return static_cast<unsigned char>(c) >= ' ';
             });
    }
  }
  return false;
}

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

re2::RE2::Options OptionsOfBytes(int64_t memory) {
  re2::RE2::Options options(re2::RE2::Latin1);
  options.set_log_errors(false);
  options.set_max_mem(memory);
  return options;
}

std::unique_ptr<re2::RE2> OfBytes(std::string_view pattern) {
  const re2::RE2::Options options = OptionsOfBytes(kMaxMemory);
  auto compiled = std::make_unique<re2::RE2>(Piece(pattern), options);
  assert(compiled->ok());
  return compiled;
}

}  // namespace

// Which shapes a text has. An automaton reads the text once, and says for each of its shapes
// whether the text has it. Each text of source code has a telling name somewhere, and then each of
// seventy expressions would read all of it. Not one automaton for all. Its states are made as texts
// reach them, and are those of its shapes multiplied, so that they cost more than to read a text
// several times.
class Patterns::ShapeSet {
 public:
  void Add(const Shape& shape, const std::string& pattern, size_t rule) {
    if (!shape.needs.empty()) return rare_.push_back({shape.needs, rule});
    if (parts_.empty() || parts_.back().rules.size() == kShapesOfPart) {
      parts_.push_back(
          {{}, std::make_unique<re2::RE2::Set>(OptionsOfBytes(kPartMemory), re2::RE2::UNANCHORED)});
    }
    [[maybe_unused]] const int number = parts_.back().set->Add(Piece(pattern), nullptr);
    assert(static_cast<size_t>(number) == parts_.back().rules.size());
    parts_.back().rules.push_back(rule);
  }
  void Compile() {
    for (Part& part : parts_) {
      [[maybe_unused]] const bool compiled = part.set->Compile();
      assert(compiled);
    }
  }
  // The numbers of the rules, in order.
  std::vector<size_t> In(std::string_view text) const {
    std::vector<size_t> rules;
    if (!MayHaveShape(text)) return rules;
    for (const Rare& rare : rare_) {
      if (text.find(rare.needs) != text.npos) rules.push_back(rare.rule);
    }
    std::vector<int> some;
    for (const Part& part : parts_) {
      re2::RE2::Set::ErrorInfo error{};
      some.clear();
      if (!part.set->Match(Piece(text), &some, &error) && error.kind != re2::RE2::Set::kNoError) {
        some.resize(part.rules.size());  // out of memory: any of them
        std::iota(some.begin(), some.end(), 0);
      }
      for (const int number : some) rules.push_back(part.rules[static_cast<size_t>(number)]);
    }
    std::sort(rules.begin(), rules.end());
    return rules;
  }

 private:
  struct Part {
    std::vector<size_t> rules;
    std::unique_ptr<re2::RE2::Set> set;
  };
  struct Rare {
    std::string_view needs;  // Shape
    size_t rule;
  };

  std::vector<Part> parts_;
  std::vector<Rare> rare_;
};

Patterns::Patterns() = default;
Patterns::~Patterns() = default;
Patterns::Patterns(Patterns&&) noexcept = default;
Patterns& Patterns::operator=(Patterns&&) noexcept = default;

void Patterns::AddShapes() {
  shapes_ = std::make_unique<ShapeSet>();
  for (const Shape& shape : Shapes()) {
    const std::string pattern = WithTellingNames(shape.pattern);
    shapes_->Add(shape, pattern, rules_.size());
    rules_.push_back({std::string(shape.name), OfBytes(pattern), shape.check});
  }
  shapes_->Compile();
}

Status Patterns::AddExpression(const std::string& expression) {
  const auto wrong = [&](std::string what, std::string remedy) {
    return Error{std::move(what), "\"" + expression + "\"", std::move(remedy)};
  };
  if (expressions_ == kMaxExpressions) return wrong("more than 64 expressions", "join them with |");
  if (expression.empty()) return wrong("an empty expression", "it would match everywhere");
  if (expression.size() > kMaxExpression) {
    return Error{"an expression above 4096 bytes", "", "use several shorter ones"};
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  auto compiled = std::make_unique<re2::RE2>(expression, options);
  if (!compiled->ok()) {
    return wrong("not a regular expression: " + compiled->error(), "the syntax is that of RE2");
  }
  if (compiled->NumberOfCapturingGroups() > 1) {
    return wrong("more than one group", "write (?:...) for groups that are not the secret");
  }
  if (re2::RE2::FullMatch("", *compiled)) {
    return wrong("matches the empty text", "require a character, as in \"key-[a-z]+\"");
  }
  rules_.push_back({expression, std::move(compiled), ShapeCheck::kNone, /*expression=*/true});
  ++expressions_;
  return Ok{};
}

void Patterns::FindRule(const Rule& rule, std::string_view text, std::vector<Match>* found) const {
  const re2::StringPiece all = Piece(text);
  re2::StringPiece groups[2];
  const int count = 1 + std::min(1, rule.compiled->NumberOfCapturingGroups());
  for (size_t at = 0; at <= text.size();) {
    if (!rule.compiled->Match(all, at, text.size(), re2::RE2::UNANCHORED, groups, count)) return;
    const re2::StringPiece& secret = groups[count - 1];
    const auto begin = static_cast<size_t>(groups[0].data() - text.data());
    const size_t end = begin + groups[0].size();
    at = std::max(end, begin + 1);
    if (secret.data() == nullptr || secret.empty()) continue;
    const size_t to = static_cast<size_t>(secret.data() - text.data()) + secret.size();
    at = std::max(to, begin + 1);  // what follows the secret may begin another
    const std::string_view value = WithoutBlanks({secret.data(), secret.size()});
    if (value.empty() || !Passes(rule.check, value)) continue;
    found->push_back({static_cast<size_t>(value.data() - text.data()), value.size(), rule.name,
                      rule.expression, rule.check == ShapeCheck::kBare && IsWordOfText(value)});
  }
}

std::vector<Patterns::Match> Patterns::Find(std::string_view text, Rules rules) const {
  std::vector<Match> found;
  std::vector<size_t> shapes;
  if (rules == Rules::kAll && shapes_) shapes = shapes_->In(text);
  auto shape = shapes.begin();
  for (size_t i = 0; i < rules_.size(); ++i) {
    const bool has = shape != shapes.end() && *shape == i;
    if (has) ++shape;
    if (has || rules_[i].expression) FindRule(rules_[i], text, &found);
  }
  if (found.size() < 2) return found;
  // An earlier rule first, where two overlap: stable, since they were found in the rules' order.
  std::vector<Match> kept;
  std::stable_sort(found.begin(), found.end(),
                   [](const Match& a, const Match& b) { return a.at < b.at; });
  for (const Match& match : found) {
    if (kept.empty() || match.at >= kept.back().end()) {
      kept.push_back(match);
    } else if (match.end() > kept.back().end()) {
      kept.back().size = match.end() - kept.back().at;  // nothing of either remains
    }
  }
  return kept;
}

}  // namespace midwire::trace::redact
