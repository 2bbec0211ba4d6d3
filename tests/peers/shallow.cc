// shallow N [MS]: a plugin whose first N of ten planted faults abort, each at an unusual value that
// most mutations make. It knows `open`, `read`, `list` and `note` (a notification), on lines, and
// refuses all else as JSON-RPC 2.0 requires. MS: milliseconds that it takes to start.
#include "peer.h"
#include "wire/json/value.h"

namespace {

using midwire::wire::Json;
using Type = Json::Type;

int faults = 0;

// Aborts if this is one of the planted faults, and the condition holds.
void Planted(int number, bool holds, const char* function, const char* expected) {
  if (number > faults || !holds) return;
  peer::Say(2, "shallow: shallow.cc:" + std::to_string(number) + ": void " + function +
                   "(): Assertion `" + expected + "' failed.\n");
  abort();
}

int64_t IntegerOr(const Json* value, int64_t otherwise) {
  return value != nullptr ? value->Integer().value_or(otherwise) : otherwise;
}

bool Is(const Json* value, Type type) { return value != nullptr && value->is(type); }

void Open(const Json& params) {
  const Json* path = params.Find("path");
  Planted(1, path == nullptr, "Path", "path");
  Planted(2, path != nullptr && !path->is(Type::kString), "Path", "path->is_string()");
  const Json* mode = params.Find("mode");
  Planted(3, Is(mode, Type::kString) && mode->text.empty(), "Mode", "!mode.empty()");
}

void Read(const Json& params) {
  Planted(4, IntegerOr(params.Find("offset"), 0) < 0, "Offset", "offset >= 0");
  Planted(5, IntegerOr(params.Find("size"), 0) > INT32_MAX, "Size", "size <= INT_MAX");
  Planted(6, params.Find("handle") == nullptr, "Handle", "handle");
}

void List(const Json& params) {
  const Json* items = params.Find("items");
  if (!Is(items, Type::kArray)) return;
  Planted(7, items->items.empty(), "Items", "!items.empty()");
  for (const Json& item : items->items) Planted(8, item.is(Type::kNull), "Item", "item");
}

std::string Answer(const Json& id, const std::string& what) {
  const bool text = id.is(Type::kString);
  return R"({"jsonrpc":"2.0","id":)" + (text ? "\"" + id.text + "\"" : id.text) + "," + what +
         "}\n";
}
constexpr char kInvalid[] = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}})"
                            "\n";
constexpr char kNotJson[] = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})"
                            "\n";

std::string Take(const std::string& line) {
  const auto message = midwire::wire::ParseJson(line);
  if (!message) return kNotJson;
  if (!message->is(Type::kObject)) return kInvalid;
  const Json *id = message->Find("id"), *params = message->Find("params");
  const bool usable = Is(id, Type::kString) || (Is(id, Type::kNumber) && id->Integer());
  const std::string_view method = message->String("method");
  if (message->Find("result") != nullptr || message->Find("error") != nullptr) return "";
  if (!Is(message->Find("method"), Type::kString) || (id != nullptr && !usable)) return kInvalid;
  Planted(9, Is(id, Type::kString), "Id", "id.is_number()");
  Planted(10, Is(params, Type::kArray), "Params", "params.is_object()");
  const bool known = method == "open" || method == "read" || method == "list";
  if (id == nullptr) return "";
  if (!known) return Answer(*id, R"("error":{"code":-32601,"message":"no"})");
  if (!Is(params, Type::kObject)) return Answer(*id, R"("error":{"code":-32602,"message":"no"})");
  if (method == "open") Open(*params);
  if (method == "read") Read(*params);
  if (method == "list") List(*params);
  return Answer(*id, R"("result":{})");
}

}  // namespace

int main(int argc, char** argv) {
  faults = peer::Number(argc > 1 ? argv[1] : nullptr);
  if (argc > 2) usleep(1000 * static_cast<useconds_t>(peer::Number(argv[2])));
  peer::Lines lines;
  for (std::string line = lines.Next(); !line.empty(); line = lines.Next()) {
    if (line.find_first_not_of(" \t\r\n") != line.npos) peer::Say(Take(line));
  }
  return 0;
}
