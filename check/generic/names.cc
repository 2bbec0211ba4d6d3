#include "check/generic/names.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace midwire::check {
namespace {

// The rules on DAP's shape of messages are generic, as a session may have that shape whatever its
// dialect is. In the list of rules of a dialect that is not DAP, they would only be odd.
bool IsOfOtherShape(std::string_view id, const wire::Dialect& dialect) {
  const auto is_dap = [](std::string_view name) { return name == "dap"; };
  return id.starts_with("dap.") && !is_dap(dialect.name) &&
         std::none_of(dialect.bases.begin(), dialect.bases.end(), is_dap);
}

}  // namespace

using wire::Severity;

const std::vector<GenericName>& GenericNames() {
  static const std::vector<GenericName> names = {
      {"framing.kind", "frames have the dialect's framing", Severity::kMust},
      {"framing.*", "frames have nothing odd about them", Severity::kNote},
      {"framing.length", "Content-Length is the number of bytes of the body", Severity::kMust},
      {"framing.several-lines", "a message is on one line", Severity::kMust},
      {"framing.line-separator", "lines have no unescaped U+2028 or U+2029", Severity::kShould},
      {"stdin.blank", "the plugin's stdin has no blank lines", Severity::kNote},
      {"stdout.junk", "the plugin's stdout carries messages and nothing else", Severity::kMust},
      {"stdout.echo", "the plugin does not send back what the host sent", Severity::kMust},
      {"stdin.junk", "the plugin's stdin carries messages and nothing else", Severity::kMust},
      {"limit.header", "headers are no longer than allowed", Severity::kMust},
      {"limit.body", "bodies are no longer than allowed", Severity::kMust},
      {"utf8", "bodies are UTF-8", Severity::kMust},
      {"json", "bodies are JSON", Severity::kMust},
      {"json.depth", "bodies are nested at most 512 levels deep", Severity::kNote},
      {"json.surrogate", "escapes of surrogates come in pairs", Severity::kNote},
      {"message", "a message is a request, an answer or a notification", Severity::kMust},
      {"batch", "batches are as the dialect has them", Severity::kOff},
      {"jsonrpc", "messages have \"jsonrpc\": \"2.0\"", Severity::kMust},
      {"member.once", "no member occurs twice", Severity::kShould},
      {"id.type", "ids have a type that the dialect allows", Severity::kMust},
      {"id.kept", "an answer has its request's id, in type and value", Severity::kMust},
      {"id.open", "a request does not have the id of one that is not answered", Severity::kShould},
      {"id.once", "a request does not have the id of an earlier one", Severity::kOff},
      {"cancel.known", "only requests are cancelled that were made", Severity::kNote},
      {"cancel.answered", "a cancelled request is not answered", Severity::kShould},
      {"cancel.crossed", "a request that was cancelled just now is not answered", Severity::kNote},
      {"answer.missing", "every request is answered", Severity::kMust},
      {"answer.cut-off", "a signal of the host does not end the plugin before it can answer",
       Severity::kNote},
      {"answer.unclear", "a message shows which request it answers", Severity::kNote},
      {"answer.once", "a request is answered once", Severity::kMust},
      {"answer.known", "an answer belongs to a request", Severity::kMust},
      {"answer.to-notification", "a notification is not answered", Severity::kMust},
      {"answer.shape", "an answer has either a result or an error", Severity::kMust},
      {"error.shape", "an error is an object with a code and a message", Severity::kMust},
      {"dap.shape", "messages of DAP have seq, request_seq and success, each of its type",
       Severity::kMust},
      {"dap.seq", "seq is at least 1 in messages of DAP, and not repeated", Severity::kShould},
      {"error.without-code", "an error has a code", Severity::kMust},
      {"error.code", "an error's code is one of the dialect's", Severity::kOff},
      {"method.unknown", "methods are the dialect's", Severity::kShould},
      {"method.spelling", "methods are spelled as the dialect has them", Severity::kShould},
      {"method.direction", "a method is sent by the right party", Severity::kMust},
      {"method.kind", "a method is sent as the right kind of message", Severity::kMust},
      {"params.kind", "params are an object or an array", Severity::kMust},
      {"params", "params are as the method's schema has them", Severity::kMust},
      {"result", "results are as the method's schema has them", Severity::kMust},
      {"tolerated", "params and results are as --strict requires them", Severity::kNote},
      {"lifecycle.first", "the host opens with the first message", Severity::kMust},
      {"lifecycle.ready", "the host waits for the answer to the first message", Severity::kOff},
      {"lifecycle.early-call", "the plugin answers the first message before it calls",
       Severity::kNote},
      {"lifecycle.last", "nothing follows the last message", Severity::kMust},
      {"lifecycle.closed", "a session ends with the last message", Severity::kNote},
      {"lifecycle.grace", "the plugin ends in time after the last message", Severity::kShould},
      {"lifecycle.exit", "the plugin ends with the dialect's exit status", Severity::kMust},
      {"process.start", "the plugin can be started", Severity::kMust},
      {"process.open", "the plugin does not exit while requests are open", Severity::kMust},
      {"process.stdin-end", "the plugin exits in time after the end of its stdin",
       Severity::kShould},
      {"process.crash", "the plugin does not crash, and does not fail before any message",
       Severity::kShould},
      {"process.killed", "no signal ends the plugin", Severity::kNote},
      {"process.held", "no other process keeps the plugin's output open after its exit",
       Severity::kShould},
      {"process.stalled", "each party reads what the other one writes", Severity::kShould},
      {"process.unread", "each party reads all messages before it closes a stream",
       Severity::kNote},
      {"revision.agreed", "a session agrees on a revision of the protocol", Severity::kNote},
      {"revision.known", "the revision is one that the dialect has", Severity::kNote},
      {"documents.followed", "documents and resources are within the limits of midwire",
       Severity::kNote},
      {"handle.*", "handles are made before they are used, and used while they are valid",
       Severity::kMust},
  };
  return names;
}

bool IsGenericRule(std::string_view id, const wire::Dialect& dialect) {
  for (const GenericName& name : GenericNames()) {
    if (name.id == id) return !id.ends_with('*');
  }
  for (const wire::HandleSpec& handle : dialect.handles) {
    if (id == wire::HandleRuleId(handle.name)) return true;
  }
  for (int bit = 0; bit < 32; ++bit) {
    const std::string oddity = wire::OdditiesText(1u << bit);
    if (!oddity.empty() && id == "framing." + oddity) return true;
  }
  return false;
}

std::string_view TextOfRule(std::string_view id, const wire::Dialect& dialect) {
  for (const wire::RuleSpec& rule : dialect.rules) {
    if (rule.id == id) return rule.text;
  }
  std::string_view family;
  for (const GenericName& name : GenericNames()) {
    if (name.id == id) return name.text;
    if (wire::MatchesMethod(name.id, id)) family = name.text;
  }
  return family;
}

std::vector<trace::CheckedRule> RulesOf(const wire::Dialect& dialect) {
  std::vector<trace::CheckedRule> rules;
  std::set<std::string, std::less<>> ids;
  const auto add = [&](const wire::Dialect& of, std::string id, std::string clause,
                       std::string_view text) {
    if (!ids.insert(id).second) return;
    if (const auto own = of.clauses.find(id); own != of.clauses.end()) clause = own->second;
    rules.push_back({std::move(id), std::move(clause), std::string(text)});
  };
  for (const GenericName& name : GenericNames()) {
    if (name.id.ends_with('*') || IsOfOtherShape(name.id, dialect)) continue;
    const bool lifecycle = name.id.starts_with("lifecycle.");
    add(dialect, std::string(name.id), lifecycle ? dialect.lifecycle_clause : "", name.text);
  }
  std::vector<const wire::Dialect*> all = {&dialect};
  for (const auto& revision : dialect.revisions) all.push_back(revision.get());
  for (const wire::Dialect* one : all) {
    for (const wire::HandleSpec& handle : one->handles) {
      const std::string id = wire::HandleRuleId(handle.name);
      add(*one, id, handle.clause, TextOfRule(id, *one));
    }
  }
  for (const wire::Dialect* one : all) {
    for (const wire::RuleSpec& rule : one->rules) add(*one, rule.id, rule.clause, rule.text);
  }
  return rules;
}

}  // namespace midwire::check
