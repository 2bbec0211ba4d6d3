#include "replay/match/shown.h"

#include <algorithm>

#include "replay/script/script.h"
#include "wire/json/ascii.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// An id without its value, but with its type: a request's id is chosen by the peer and often
// contains a pid.
std::string IdPlaceholder(std::string_view id) {
  if (id.starts_with('"')) return "\"<id>\"";
  return id == "null" ? "null" : "<id>";
}

}  // namespace

std::string ShownMessage(const wire::Message& message, std::string_view body,
                         const std::vector<const wire::Pointer*>& ignores) {
  if (!wire::IsLooseJson(body)) return Shown(body);
  struct Hidden {
    std::string_view value;
    std::string shown;
  };
  std::vector<Hidden> hidden;
  const wire::Pointer& id = message.flags & wire::kDap ? kSeq : kId;
  if (message.kind == wire::Kind::kRequest) {
    if (const auto value = wire::ValueAt(body, id))
      hidden.push_back({*value, IdPlaceholder(*value)});
  }
  for (const wire::Pointer* pointer : ignores) {
    const std::string& top = pointer->steps.empty() ? std::string() : pointer->steps.front();
    if (pointer->steps.size() == 1 && (top == "id" || top == "seq" || top == "request_seq")) {
      continue;
    }
    if (const auto value = wire::ValueAt(body, *pointer)) hidden.push_back({*value, "<ignored>"});
  }
  std::sort(hidden.begin(), hidden.end(),
            [](const Hidden& a, const Hidden& b) { return a.value.data() < b.value.data(); });
  std::string text;
  const char* from = body.data();
  for (const auto& [value, shown] : hidden) {
    if (value.data() < from) continue;  // within one that is hidden already
    text.append(from, value.data());
    text += shown;
    from = value.data() + value.size();
  }
  text.append(from, body.data() + body.size());
  return Shown(text);
}

bool SameButForDigits(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (wire::IsDigit(a[i]) && wire::IsDigit(b[j])) {
      while (i < a.size() && wire::IsDigit(a[i])) ++i;
      while (j < b.size() && wire::IsDigit(b[j])) ++j;
    } else if (a[i++] != b[j++]) {
      return false;
    }
  }
  return i == a.size() && j == b.size();
}

}  // namespace midwire::replay
