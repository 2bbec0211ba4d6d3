// Large mutators: depth, sizes and counts far beyond those of real messages. They are no part of
// ordinary mutants, because one of theirs costs as much as thousands of others; the engine makes
// them rarely (Mutator::Enlarge).
#include <algorithm>
#include <array>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/header_forms.h"
#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutate.h"

namespace midwire::fuzz {
namespace {

// Left of the room for what is around the repeated piece.
constexpr size_t kMargin = 256;

// How often a piece of this size is repeated: up to 64 KiB, 128 KiB and so on, or all that fits.
size_t Times(Mutation* m, size_t piece) {
  constexpr std::array<size_t, 7> kSizes = {64u << 10, 128u << 10, 256u << 10, 512u << 10,
                                            1u << 20,  2u << 20,   SIZE_MAX};
  const size_t room = m->room() > kMargin ? m->room() - kMargin : 0;
  return std::min(m->random->Pick(kSizes), room) / piece;
}

bool Replace(Mutation* m, unsigned types, unsigned places, std::string_view with) {
  const auto node = PickInMessage(m->target().body(), types, places, m->random);
  return node && ReplaceInBody(m, node->at, node->size, with);
}

// A stack of 8 MiB holds 50,000 to 400,000 levels of a recursive parser.
bool NestDeep(Mutation* m, std::string_view open, std::string_view inner, std::string_view close) {
  constexpr std::array<size_t, 6> kDepths = {20'000, 50'000, 100'000, 200'000, 400'000, 1'000'000};
  const size_t room = m->room() > kMargin ? m->room() - kMargin : 0;
  const size_t fit = room / (open.size() + close.size());
  const size_t depth = std::min(m->random->Pick(kDepths), fit);
  if (depth == 0) return false;
  return Replace(m, kAnyType, kAnyPlace,
                 Repeated(open, depth).append(inner).append(Repeated(close, depth)));
}

bool Elements(Mutation* m) {
  std::string text = "[" + Repeated("0,", Times(m, 2));
  text.back() = ']';
  return text.size() > 1 && Replace(m, kAnyType, kInside, text);
}

bool Members(Mutation* m) {
  constexpr size_t kMember = 16;  // at most
  const size_t count = Times(m, kMember);
  std::string text = "{";
  for (size_t i = 0; i < count; ++i) text.append("\"m").append(std::to_string(i)).append("\":0,");
  text.back() = '}';
  return text.size() > 1 && Replace(m, kAnyType, kInside, text);
}

bool VeryLongString(Mutation* m) {
  const std::string_view piece = OneOf(m->random, {"a", "\\n", "\u20ac", "../", "\\u0041"});
  return Replace(m, kAnyType, kInside, "\"" + Repeated(piece, Times(m, piece.size())) + "\"");
}

bool VeryLongName(Mutation* m) {
  const auto node = PickInMessage(m->target().body(), kAnyType, kMember, m->random);
  return node && ReplaceInBody(m, node->name_at + 1, 0, std::string(Times(m, 1), 'n'));
}

bool VeryLongNumber(Mutation* m) {
  const std::string start(OneOf(m->random, {"1", "-9", "0.", "1e", "1e-"}));
  return Replace(m, kScalars, kInside, start + std::string(Times(m, 1), '7'));
}

bool ManyBlanks(Mutation* m) {
  const auto node = PickInMessage(m->target().body(), kAnyType, kAnyPlace, m->random);
  return node && ReplaceInBody(m, node->at, 0, std::string(Times(m, 1), ' '));
}

// The message with this number as its id, if it has an id.
std::string WithId(std::string_view body, const MemberSpan& id, size_t number) {
  if (!id.present()) return std::string(body);
  constexpr size_t kFirst = 20'000'000;  // above those of FreshId
  return std::string(body.substr(0, id.value_at))
      .append(std::to_string(kFirst + number))
      .append(body.substr(id.end()));
}

bool ManyMessages(Mutation* m) {
  const Part& target = m->target();
  const auto spans = FindMessage(target.body(), m->random);
  if (target.junk() || !spans || target.body().front() != '{') return false;
  constexpr size_t kLonger = 16;  // by a longer id and its length
  const std::vector<Part>& parts = m->input->parts;
  const size_t most = kMaxParts > parts.size() ? kMaxParts - parts.size() : 0;
  const size_t count = std::min(most, Times(m, target.bytes.size() + kLonger));
  std::vector<Part> copies(count, target);
  for (size_t i = 0; i < count; ++i) {
    copies[i].SetBody(WithId(target.body(), spans->of(Role::kId), i));
  }
  return InsertParts(m, m->part + 1, std::move(copies));
}

bool LargeBatch(Mutation* m) {
  const std::string body(m->target().body());
  const auto spans = FindMessage(body, m->random);
  if (m->target().junk() || !spans || body.front() != '{') return false;
  constexpr size_t kLonger = 16;
  const size_t count = Times(m, body.size() + kLonger);
  std::string batch = "[";
  for (size_t i = 0; i < count; ++i) batch += WithId(body, spans->of(Role::kId), i) + ",";
  batch.back() = ']';
  return count > 0 && ReplaceInBody(m, 0, body.size(), batch);
}

// Bytes that look like the start of a message and never end.
bool Unended(Mutation* m) {
  const std::string_view start = OneOf(m->random, {"{\"a\":\"", "[", "Content-Length: ", "x"});
  return ReplaceTarget(
      m, std::string(start) + std::string(Times(m, 1), start.front() == '[' ? '[' : '1'));
}

constexpr MutatorSpec kLargeMutators[] = {
    {"large.nested-arrays", Level::kText, [](Mutation* m) { return NestDeep(m, "[", "", "]"); }},
    {"large.nested-objects", Level::kText,
     [](Mutation* m) { return NestDeep(m, "{\"a\":", "0", "}"); }},
    {"large.nested-open", Level::kText,
     [](Mutation* m) { return NestDeep(m, m->random->OneIn(2) ? "[" : "{\"\":", "", ""); }},
    {"large.elements", Level::kTree, Elements},
    {"large.members", Level::kTree, Members},
    {"large.string", Level::kTree, VeryLongString},
    {"large.name", Level::kTree, VeryLongName},
    {"large.number", Level::kText, VeryLongNumber},
    {"large.blanks", Level::kText, ManyBlanks},
    {"large.batch", Level::kRpc, LargeBatch},
    {"large.messages", Level::kSession, ManyMessages},
    {"large.headers", Level::kStream,
     [](Mutation* m) {
       constexpr std::string_view kOne = "X-A: b\r\n";
       const std::string lines = Repeated(kOne, Times(m, kOne.size()));
       return ReplaceHeader(m, {lines + "Content-Length: %n\r\n\r\n"});
     }},
    {"large.header-line", Level::kStream,
     [](Mutation* m) {
       const std::string line = "X-A: " + std::string(Times(m, 1), 'b');
       return ReplaceHeader(m, {line + "\r\nContent-Length: %n\r\n\r\n"});
     }},
    {"large.unended", Level::kStream, Unended},
};

}  // namespace

std::span<const MutatorSpec> LargeMutators() { return kLargeMutators; }

}  // namespace midwire::fuzz
