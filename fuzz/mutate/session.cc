// Session mutators: which messages, in which order. Messages stay as they are, except that a
// repeated request mostly gets a fresh id (otherwise copies would only test ids) and sometimes
// another valid value.
#include <algorithm>
#include <utility>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutate.h"
#include "fuzz/mutate/value_pool.h"

namespace midwire::fuzz {
namespace {

constexpr size_t kMostRepeats = 1000;
// One in this many copies keeps its id.
constexpr size_t kOneKeepsIdIn = 5;
// One in this many gets another valid value: an equal message mostly has an equal effect.
constexpr size_t kOneVariesIn = 3;

std::vector<Part>& Parts(Mutation* m) { return m->input->parts; }

auto At(Mutation* m, size_t index) { return Parts(m).begin() + index; }

// A message with another valid value.
bool Vary(Mutation* m, Part* part) {
  const auto known = ChooseKnown(part->body(), *m->words, m->random);
  if (!known) return false;
  std::string body(part->body());
  part->SetBody(body.replace(known->at, known->size, known->other));
  return true;
}

Part Alike(Mutation* m, const Part& of) {
  Part part = of;
  if (!m->random->OneIn(kOneKeepsIdIn)) RenewId(&part, m->random);
  return part;
}

Part Copy(Mutation* m, const Part& of) {
  Part part = Alike(m, of);
  if (m->random->OneIn(kOneVariesIn)) Vary(m, &part);
  return part;
}

// A random place, also after the last message.
size_t Anywhere(Mutation* m) { return m->random->Below(Parts(m).size() + 1); }
size_t PlaceBehind(Mutation* m, size_t part) {
  return part + 1 + m->random->Below(Parts(m).size() - part);
}

bool DropMessage(Mutation* m) {
  if (Parts(m).size() < 2) return false;
  Parts(m).erase(At(m, m->part));
  return true;
}

bool DropRange(Mutation* m) {
  const size_t size = Parts(m).size(), end = PlaceBehind(m, m->part);
  if (end - m->part == size) return false;
  Parts(m).erase(At(m, m->part), At(m, end));
  return true;
}

// `at` is an argument so that it is drawn first: compilers evaluate arguments in any order, and a
// seed must mean the same everywhere.
bool InsertCopy(Mutation* m, size_t at, const Part& of) { return InsertPart(m, at, Copy(m, of)); }

bool DuplicateMessage(Mutation* m) { return InsertCopy(m, m->part + 1, m->target()); }

bool CopyElsewhere(Mutation* m) { return InsertCopy(m, Anywhere(m), m->target()); }

bool Swap(Mutation* m) {
  const size_t other = m->random->Below(Parts(m).size());
  if (m->target().bytes == Parts(m)[other].bytes) return false;
  std::swap(m->target(), Parts(m)[other]);
  return true;
}

// True if it moved past a different message.
bool MoveTo(Mutation* m, size_t from, size_t to) {
  if (from == to) return false;
  const size_t low = std::min(from, to), high = std::max(from, to) + 1;
  const auto differs = [&](const Part& part) { return part.bytes != Parts(m)[from].bytes; };
  if (std::none_of(At(m, low), At(m, high), differs)) return false;
  if (from < to) {
    std::rotate(At(m, from), At(m, from + 1), At(m, to + 1));
  } else {
    std::rotate(At(m, to), At(m, from), At(m, from + 1));
  }
  return true;
}

bool Move(Mutation* m) { return MoveTo(m, m->part, m->random->Below(Parts(m).size())); }

bool Repeat(Mutation* m) {
  const size_t size = m->target().bytes.size() + 16;  // a fresh id may be longer
  const size_t most = std::min({kMostRepeats, m->room() / size, kMaxParts - Parts(m).size()});
  const size_t times = SomeOf(m->random, most);
  std::vector<Part> copies;
  copies.reserve(times);
  for (size_t i = 0; i < times; ++i) copies.push_back(Copy(m, m->target()));
  return InsertParts(m, m->part + 1, std::move(copies));
}

// A recorded message of that direction.
bool InsertRecorded(Mutation* m, wire::Direction direction) {
  const std::vector<std::string>& bodies = m->words->bodies(direction);
  if (bodies.empty()) return false;
  const Part recorded = Framed(m->random->Pick(bodies), m->input->framing());
  return InsertCopy(m, Anywhere(m), recorded);
}

// Repeats a message with another value: some states need one method with the right values in the
// right order.
bool RepeatVaried(Mutation* m) {
  if (m->target().junk()) return false;
  Part part = Alike(m, m->target());
  if (!Vary(m, &part)) return false;
  const size_t at = m->random->OneIn(3) ? Parts(m).size() : m->part + 1;
  return InsertPart(m, at, std::move(part));
}

// Repeats it many times, partly unchanged. A state that needs several right values is found by
// luck, and progress on a part of them shows in the coverage.
bool ManyVaried(Mutation* m) {
  constexpr size_t kMost = 64;
  if (m->target().junk() || !ChooseKnown(m->target().body(), *m->words, m->random)) return false;
  const size_t fit =
      std::min(m->room() / (m->target().bytes.size() + kMaxTokenSize), kMaxParts - Parts(m).size());
  const size_t times = 1 + SomeOf(m->random, std::min(kMost, fit));
  std::vector<Part> copies;
  copies.reserve(times);
  for (size_t i = 0; i < times; ++i) {
    copies.push_back(Alike(m, m->target()));
    if (!m->random->OneIn(3)) Vary(m, &copies.back());
  }
  return InsertParts(m, m->part + 1, std::move(copies));
}

// Gives half of all messages another valid value.
bool VaryAll(Mutation* m) {
  size_t spare = m->room();
  bool changed = false;
  for (Part& part : Parts(m)) {
    if (part.junk() || spare < 2 * kMaxTokenSize || m->random->OneIn(2)) continue;
    const size_t before = part.bytes.size();
    changed |= Vary(m, &part);
    spare -= std::min(spare, part.bytes.size() - std::min(before, part.bytes.size()));
  }
  return changed;
}

bool TruncateAfter(Mutation* m) {
  if (m->part + 1 == Parts(m).size()) return false;
  Parts(m).erase(At(m, m->part + 1), Parts(m).end());
  return true;
}

// Moves the opening messages of a session behind others.
bool FirstLater(Mutation* m) {
  return Parts(m).size() > 1 && MoveTo(m, 0, 1 + m->random->Below(Parts(m).size() - 1));
}

bool FirstTwice(Mutation* m) { return InsertCopy(m, PlaceBehind(m, 0), Parts(m).front()); }

// Moves the message that ends a session before others, or others after it.
bool AfterLast(Mutation* m) {
  if (Parts(m).size() < 2) return false;
  switch (m->random->Below(3)) {
    case 0:
      return MoveTo(m, m->part, Parts(m).size() - 1);
    case 1:
      return MoveTo(m, Parts(m).size() - 1, m->random->Below(Parts(m).size() - 1));
    default:
      return InsertCopy(m, Parts(m).size(), m->target());
  }
}

bool LastTwice(Mutation* m) { return InsertCopy(m, Anywhere(m), Parts(m).back()); }

// Cancel messages of protocols. {id} stands for the id of the request.
struct CancelForm {
  std::string_view before, after;
};
constexpr CancelForm kCancels[] = {
    {"{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":", "}}"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":",
     "}}"},
    {"{\"seq\":1000000,\"type\":\"request\",\"command\":\"cancel\",\"arguments\":{\"requestId\":",
     "}}"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"cancel\",\"params\":{\"id\":", "}}"},
};

// A cancelling method of the vocabulary, searched from a random place; "" if none is found nearby.
std::string_view CancelMethod(Mutation* m) {
  constexpr size_t kLooks = 128;
  const std::vector<std::string>& methods = m->words->methods();
  const size_t start = m->random->Below(methods.size());
  for (size_t i = 0; i < std::min(kLooks, methods.size()); ++i) {
    const std::string& method = methods[(start + i) % methods.size()];
    if (method.find("ancel") != method.npos) return method;
  }
  return "";
}

// Cancels a request: before it, right after it, or when it may be done.
bool Cancel(Mutation* m) {
  if (m->target().junk()) return false;
  const auto spans = FindMessage(m->target().body(), m->random);
  if (!spans || !spans->request()) return false;
  const std::string id(spans->value(m->target().body(), Role::kId));
  const std::string_view method = spans->dap ? "" : CancelMethod(m);
  std::string text;
  if (method.empty()) {
    const CancelForm& form = spans->dap ? kCancels[2] : m->random->Pick(std::span(kCancels));
    text = std::string(form.before) + id + std::string(form.after);
  } else {
    text = "{\"jsonrpc\":\"2.0\",\"method\":" + std::string(method) + ",\"params\":{\"id\":" + id +
           ",\"requestId\":" + id + "}}";
  }
  const size_t where = m->random->Below(4);
  const size_t at = where == 0 ? m->part : where == 3 ? PlaceBehind(m, m->part) : m->part + 1;
  return InsertPart(m, at, Framed(text, m->input->framing()));
}

// Repeats an answer: the target, or one made for the target's id.
bool AnswerTwice(Mutation* m) {
  if (m->target().junk()) return false;
  const std::string_view body = m->target().body();
  const auto spans = FindMessage(body, m->random);
  if (!spans || !spans->has(Role::kId)) return false;
  if (spans->answer) return InsertPart(m, PlaceBehind(m, m->part), m->target());
  if (spans->dap || !m->random->OneIn(4)) return false;
  std::string text = "{";
  if (spans->has(Role::kVersion)) text += "\"jsonrpc\":\"2.0\",";
  text += "\"id\":" + std::string(spans->value(body, Role::kId)) + ",\"result\":null}";
  const Part answer = Framed(text, m->input->framing());
  return InsertParts(m, PlaceBehind(m, m->part), {answer, answer});
}

// Moves an answer before its request, or anywhere else.
bool AnswerMoved(Mutation* m) {
  if (m->target().junk()) return false;
  const auto spans = FindMessage(m->target().body(), m->random);
  return spans && spans->answer && Move(m);
}

bool Reverse(Mutation* m) {
  const auto from = At(m, m->part), to = At(m, PlaceBehind(m, m->part));
  const auto differs = [&](const Part& part) { return part.bytes != from->bytes; };
  if (std::none_of(from, to, differs)) return false;
  const std::vector<Part> before(from, to);
  std::reverse(from, to);
  return !std::equal(before.begin(), before.end(), from,
                     [](const Part& a, const Part& b) { return a.bytes == b.bytes; });
}

// Repeats a piece of the session elsewhere.
bool SpliceMessages(Mutation* m) {
  size_t end = PlaceBehind(m, m->part), size = 0;
  std::vector<Part> piece;
  for (size_t i = m->part; i < end && size <= m->room(); ++i) {
    piece.push_back(Copy(m, Parts(m)[i]));
    size += piece.back().bytes.size();
  }
  return InsertParts(m, Anywhere(m), std::move(piece));
}

// Repeats the whole session, as if the host had started again.
bool Again(Mutation* m) {
  if (m->input->size() > m->room()) return false;
  std::vector<Part> all;
  all.reserve(Parts(m).size());
  for (const Part& part : Parts(m)) all.push_back(Copy(m, part));
  return InsertParts(m, Parts(m).size(), std::move(all));
}

bool Only(Mutation* m) {
  if (Parts(m).size() < 2) return false;
  Parts(m) = std::vector<Part>{std::move(m->target())};
  return true;
}

// Two writers at once: puts the next message in the middle of this one.
bool Interleave(Mutation* m) {
  if (m->part + 1 == Parts(m).size() || m->target().bytes.size() < 2) return false;
  const size_t at = 1 + m->random->Below(m->target().bytes.size() - 1);
  std::string bytes = m->target().bytes;
  bytes.insert(at, Parts(m)[m->part + 1].bytes);
  m->target().SetBytes(std::move(bytes));
  Parts(m).erase(At(m, m->part + 1));
  return true;
}

// Cuts off the last message, as if the writer had died.
bool CutOff(Mutation* m) {
  if (m->target().bytes.size() < 2) return false;
  const size_t keep = 1 + m->random->Below(m->target().bytes.size() - 1);
  m->target().SetBytes(m->target().bytes.substr(0, keep));
  Parts(m).erase(At(m, m->part + 1), Parts(m).end());
  return true;
}

constexpr MutatorSpec kSessionMutators[] = {
    {"session.drop", Level::kSession, DropMessage},
    {"session.drop-range", Level::kSession, DropRange},
    {"session.duplicate", Level::kSession, DuplicateMessage},
    {"session.copy-elsewhere", Level::kSession, CopyElsewhere},
    {"session.swap", Level::kSession, Swap},
    {"session.move", Level::kSession, Move},
    {"session.repeat", Level::kSession, Repeat},
    {"session.insert-host", Level::kSession,
     [](Mutation* m) { return InsertRecorded(m, wire::Direction::kHostToPlugin); }},
    {"session.insert-plugin", Level::kSession,
     [](Mutation* m) { return InsertRecorded(m, wire::Direction::kPluginToHost); }},
    {"session.truncate", Level::kSession, TruncateAfter},
    {"session.first-later", Level::kSession, FirstLater},
    {"session.first-twice", Level::kSession, FirstTwice},
    {"session.after-last", Level::kSession, AfterLast},
    {"session.last-twice", Level::kSession, LastTwice},
    {"session.cancel", Level::kSession, Cancel},
    {"session.answer-twice", Level::kSession, AnswerTwice},
    {"session.answer-moved", Level::kSession, AnswerMoved},
    {"session.reverse", Level::kSession, Reverse},
    {"session.splice", Level::kSession, SpliceMessages},
    {"session.again", Level::kSession, Again},
    {"session.only", Level::kSession, Only},
    {"session.interleave", Level::kSession, Interleave},
    {"session.cut-off", Level::kSession, CutOff},
    {"session.repeat-varied", Level::kSession, RepeatVaried},
    {"session.many-varied", Level::kSession, ManyVaried},
    {"session.vary", Level::kSession, VaryAll},
};

}  // namespace

std::span<const MutatorSpec> SessionMutators() { return kSessionMutators; }

}  // namespace midwire::fuzz
