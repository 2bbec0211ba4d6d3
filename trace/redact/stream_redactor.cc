#include "trace/redact/stream_redactor.h"

#include <utility>

#include "trace/redact/finder.h"

namespace midwire::trace::redact {

StreamRedactor::StreamRedactor(Secrets secrets, const TokenKey& key)
    : secrets_(std::move(secrets)), key_(key) {
  if (!secrets_.shapes) return;
  patterns_.AddShapes();
  for (int stream = 0; stream < 3; ++stream) streams_.emplace_back(&patterns_, key_);
}

void StreamRedactor::Feed(Stream stream, std::string_view bytes, std::string* out) {
  if (streams_.empty()) {
    *out += bytes;
  } else {
    streams_[static_cast<size_t>(stream)].Feed(bytes, out);
  }
}

void StreamRedactor::Finish(Stream stream, std::string* out) {
  if (!streams_.empty()) streams_[static_cast<size_t>(stream)].Finish(out);
}

void StreamRedactor::HideInArguments(std::vector<std::string>* arguments) const {
  if (!secrets_.shapes) return;
  const SecretPlaces by_name{.places = {}, .names = {}, .telling = true};
  const std::vector<std::string> was = *arguments;
  Finder(&by_name, &patterns_)
      .InArguments(
          was, [&](std::string_view value, const Found&) { return TokenOf(value, key_); },
          arguments);
}

}  // namespace midwire::trace::redact
