// The corpus that a fuzzer starts from, made from traces: seeds, one message of each kind, and
// their vocabulary. Called by `midwire corpus`, which writes the files. Pure: the same traces in
// the same order make the same files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fuzz/vocabulary.h"
#include "trace/session.h"

namespace midwire::fuzz {

// libFuzzer limits inputs to 1 MiB unless -max_len is given, and slows down long before that.
inline constexpr size_t kMaxSeedSize = 1u << 20;
// Total size and number of the files in one folder: a corpus is kept in memory until it is written.
inline constexpr size_t kMaxCorpusSize = 128u << 20, kMaxCorpusFiles = 8192;

class Corpus : public trace::SessionHandler {
 public:
  // `role`: the party whose messages become seeds. A plugin is fuzzed with messages of hosts.
  explicit Corpus(wire::Direction role) : role_(role) {}

  // Before the first session of a trace; `name` names its files.
  void StartTrace(std::string_view name);
  void OnMessage(const trace::RecordedMessage& sent) override;
  void OnElement(const trace::RecordedMessage& element) override;
  void OnJunk(const trace::RecordedJunk& sent) override;
  void OnSectionEnd(const wire::Exchanges&) override { EndSession(); }
  // After the last session.
  void EndSession();

  // Contents by path:
  //   seeds/TRACE.wire       all that the role sent in a session (TRACE-2.wire: the second, ...),
  //   seeds/METHOD.KIND.wire the first message of each kind that the role sent, with its framing,
  //   messages/PARTY.METHOD.KIND.json  the body of the first message of each kind, of either party.
  // KIND: request, notification, result, error or errorCODE, batch, invalid. No two files in a
  // folder have the same content.
  const std::map<std::string, std::string>& files() const { return files_; }
  Vocabulary* words() { return &words_; }
  uint64_t messages() const { return messages_; }
  // Sessions above kMaxSeedSize: their seeds end with the last message before the limit.
  uint64_t cut_sessions() const { return cut_sessions_; }
  uint64_t left_out() const { return left_out_; }          // files beyond the limits
  bool kinds_left_out() const { return kinds_left_out_; }  // there are more than kMaxCorpusFiles

 private:
  void AddKind(const trace::RecordedMessage& sent);
  void AddFile(std::string_view folder, std::string name, std::string_view ending,
               std::string_view bytes);
  void AppendToSession(std::string_view bytes, bool whole);

  const wire::Direction role_;
  std::map<std::string, std::string> files_;
  struct Folder {
    size_t files = 0, size = 0;
  };
  std::map<std::string, Folder, std::less<>> folders_;
  std::unordered_set<std::string> contents_;  // folder and content
  std::unordered_set<std::string> kinds_;
  std::vector<std::pair<std::string, std::string>> pending_;  // seeds of this session's messages
  size_t pending_size_ = 0;
  Vocabulary words_;
  std::string trace_, session_;
  bool cut_ = false, kinds_left_out_ = false;
  uint64_t messages_ = 0, cut_sessions_ = 0, left_out_ = 0;
};

}  // namespace midwire::fuzz
