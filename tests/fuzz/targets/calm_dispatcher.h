// A correct dispatcher of a plugin, as small as possible: `ping`, `echo`, and errors for the rest;
// batches too. For targets, tests and the bench.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness/try.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire {

class CalmDispatcher {
 public:
  void dispatch(std::string_view body, const fuzz::Emit& emit) {
    if (!wire::IsJson(body)) return emit(Error("null", "-32700", "Parse error"));
    body = wire::Trimmed(body);
    if (wire::TypeOf(body) != wire::JsonType::kArray) {
      const std::string answer = AnswerTo(body);
      if (!answer.empty()) emit(answer);
      return;
    }
    std::string batch;
    bool any = false;
    wire::JsonParts parts(body);
    wire::JsonPart part;
    while (parts.Next(&part)) {
      any = true;
      const std::string answer = AnswerTo(part.value);
      if (!answer.empty()) batch += (batch.empty() ? "[" : ",") + answer;
    }
    if (!any) return emit(Error("null", "-32600", "Invalid Request"));
    if (!batch.empty()) emit(batch + "]");
  }

 private:
  static std::string Error(std::string_view id, std::string_view code, std::string_view text) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":{"code":)" +
           std::string(code) + R"(,"message":")" + std::string(text) + "\"}}";
  }

  // "": there is no answer.
  std::string AnswerTo(std::string_view message) {
    members_.clear();
    if (!wire::RawMembers(message, &members_)) return Error("null", "-32600", "Invalid Request");
    std::string_view id, method, params = "null";
    bool answer = false;
    for (const wire::RawMember& member : members_) {
      name_.clear();
      const std::string quoted = "\"" + std::string(member.name) + "\"";
      if (!wire::AppendUnescaped(quoted, &name_)) continue;
      if (name_ == "id") id = member.value;
      if (name_ == "method") method = member.value;
      if (name_ == "params") params = member.value;
      answer = answer || name_ == "result" || name_ == "error";
    }
    if (method.empty() && answer) return "";
    const bool valid = id.empty() || id[0] == '"' || id[0] == '-' || (id[0] >= '0' && id[0] <= '9');
    std::string name;
    if (!valid || !wire::AppendUnescaped(method, &name)) {
      return Error(valid && !id.empty() ? id : "null", "-32600", "Invalid Request");
    }
    if (id.empty()) return "";
    if (name != "ping" && name != "echo") return Error(id, "-32601", "Method not found");
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":)" +
           std::string(name == "echo" ? params : "{}") + "}";
  }

  std::vector<wire::RawMember> members_;
  std::string name_;
};

}  // namespace midwire
