#include "replay/script/script.h"

#include "wire/json/parts.h"

namespace midwire::replay {

std::string_view BodyOf(const Step& step, std::string_view frame) {
  const size_t around = size_t{step.head} + step.tail;
  if (frame.size() < around) return "";
  return wire::Trimmed(frame.substr(step.head, frame.size() - around));
}

}  // namespace midwire::replay
