// What a checker remembers of messages of one shape: which rules must see the next one.
#include "check/checker.h"

namespace midwire::check {
namespace {

ShapeKey KeyOf(const Observed& seen) {
  return {seen.kind(), seen.direction(), seen.message->flags, seen.request != nullptr};
}

}  // namespace

// Finds the values of the message, and its shape if it has one that is known, or worth to be.
KnownShape* Checker::Read(Observed* seen, Method* method) {
  if (!seen->recorded->frame->whole()) return nullptr;
  // Only of methods of the dialect, whose number is limited.
  const bool known = method->spec != nullptr && method != &other_;
  KnownShapes& shapes = seen->message->IsAnswer() ? method->answers : method->calls;
  if (known) {
    if (KnownShape* const shape = shapes.Find(KeyOf(*seen), seen->body)) {
      shape->Fill(seen->body, &values_);
      seen->json = true;
      FindParts(seen);
      return shape;
    }
  }
  seen->json = values_.Read(seen->body);
  if (!seen->json) return nullptr;
  FindParts(seen);
  if (!known || values_.repeated()) return nullptr;
  KnownShape* const shape = shapes.Next(seen->body, &shapes_left_);
  return shape != nullptr && shape->Learn(KeyOf(*seen), seen->body, values_) ? shape : nullptr;
}

void Checker::ShowRules(const Observed& seen, const Method& method, KnownShape* shape) {
  if (shape != nullptr && shape->has_readers(epoch_)) {
    const uint64_t changed = shape->changed();
    for (KnownShape::Reader& reader : shape->readers()) {
      CheckRule* const rule = rules_[reader.rule].rule.get();
      const bool same = !reader.always && (reader.bit & changed) == 0;
      if (same && (!reader.stateful || rule->state() == reader.state)) continue;
      const uint64_t added = report_.added();
      rule->OnMessage(seen, &report_);
      if (!same || report_.added() != added) continue;
      // These values do nothing in the rule's new state, either.
      reads_.parts.clear();
      if (rule->ReadsOnly(seen, &reads_)) reader.state = rule->state();
    }
    return;
  }
  const uint64_t added = report_.added();
  for (const uint32_t i : method.own) rules_[i].rule->OnMessage(seen, &report_);
  if (shape != nullptr && report_.added() == added) LearnReaders(seen, method, shape);
}

void Checker::LearnReaders(const Observed& seen, const Method& method, KnownShape* shape) {
  if (shape->text() != seen.body && !shape->Learn(KeyOf(seen), seen.body, values_)) return;
  shape->StartReaders(epoch_);
  for (const uint32_t i : method.own) {
    const CheckRule& rule = *rules_[i].rule;
    reads_.parts.clear();
    reads_.state = false;
    if (rule.ReadsOnly(seen, &reads_)) {
      shape->AddReader(i, seen.body, reads_, rule.state());
    } else {
      shape->AddReader(i);
    }
  }
}

}  // namespace midwire::check
