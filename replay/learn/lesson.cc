#include "replay/learn/lesson.h"

#include <algorithm>
#include <map>
#include <utility>

#include "replay/script/declaration_kinds.h"
#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/utf8.h"

namespace midwire::replay {

std::string_view Name(LessonKind kind) {
  constexpr std::string_view kNames[] = {"shape",   "unordered", "floating",
                                         "chunked", "ignore",    "volatile"};
  return kNames[static_cast<int>(kind)];
}

Status Declare(const Lesson& lesson, Declarations* to) {
  if (!wire::IsUtf8(lesson.text)) {
    return Error{"cannot be declared: its name is not UTF-8", lesson.text, "use --ignore by hand"};
  }
  return Declare(Name(lesson.kind), lesson.text, to);
}

Result<std::string> HeaderWith(std::string_view header, const std::vector<Lesson>& lessons) {
  std::vector<wire::RawMember> members;
  const auto names_format = [](const wire::RawMember& member) {
    return member.name == "midwire" && member.value == "\"cassette\"";
  };
  // A cassette without a header begins with a message, which is no place for declarations.
  if (!wire::RawMembers(header, &members) ||
      std::none_of(members.begin(), members.end(), names_format)) {
    return Error{"the first line is not the header of a cassette", "",
                 "put {\"midwire\":\"cassette\",\"version\":1} before it"};
  }
  std::map<std::string_view, std::string> items;  // by member, with commas
  std::vector<std::string_view> order;
  for (const Lesson& lesson : lessons) {
    std::string& list = items[Name(lesson.kind)];
    if (list.empty()) {
      order.push_back(Name(lesson.kind));
    } else {
      list += ',';
    }
    wire::AppendJsonString(lesson.text, &list);
  }
  // From the back, so that the spans stay where they are.
  std::string result(header);
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    const auto added = items.find(member->name);
    if (added == items.end() || added->second.empty()) continue;
    if (wire::TypeOf(member->value) != wire::JsonType::kArray) {
      return Error{"the header has no list here", "/" + std::string(member->name),
                   "make it a list: [...]"};
    }
    wire::JsonPart part;
    const bool empty = !wire::JsonParts(member->value).Next(&part);
    const size_t end =
        static_cast<size_t>(member->value.data() - header.data()) + member->value.size() - 1;
    result.insert(end, (empty ? "" : ",") + std::exchange(added->second, ""));
  }
  std::string more;
  for (const std::string_view name : order) {
    if (items[name].empty()) continue;
    more += std::string(members.empty() && more.empty() ? "" : ",") + "\"" + std::string(name) +
            "\":[" + items[name] + "]";
  }
  result.insert(result.rfind('}'), more);
  return result;
}

}  // namespace midwire::replay
