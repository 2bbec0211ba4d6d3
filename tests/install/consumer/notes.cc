#include "notes.h"

#include <unistd.h>

#include <algorithm>
#include <string>

// The text between `before` and `end`; enough of a parser for two requests.
static std::string Between(std::string_view text, std::string_view before, char end) {
  const size_t at = text.find(before);
  if (at == text.npos) return "";
  text.remove_prefix(at + before.size());
  return std::string(text.substr(0, text.find(end)));
}

void Dispatch(std::string_view message, std::function<void(std::string_view)> emit) {
  const std::string text = Between(message, R"("text":")", '"');
  auto words = std::count(text.begin(), text.end(), ' ') + 1;
#ifdef CHANGED
  ++words;
#endif
  emit(R"({"jsonrpc":"2.0","id":)" + Between(message, R"("id":)", ',') + R"(,"result":{"words":)" +
       std::to_string(words) + R"(,"pid":)" + std::to_string(getpid()) + "}}");
}
