// What a fuzzer starts from, made of traces: seeds, one message of each kind, and the words of
// both. `midwire corpus` writes it out; pure, so the same traces in the same order make the same
// files.
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

// libFuzzer takes no input above 1 MiB unless it is told to, and slows down long before.
inline constexpr size_t kMaxSeedSize = 1u << 20;
// Of the files of one folder together, and how many: a corpus is held in memory until it is
// written.
inline constexpr size_t kMaxCorpusSize = 128u << 20, kMaxCorpusFiles = 8192;

class Corpus : public trace::SessionHandler {
 public:
  // `role`: who said what the seeds are made of; a plugin is fuzzed with what hosts said.
  explicit Corpus(wire::Direction role) : role_(role) {}

  // Before the first session of a trace; `name` names its files.
  void StartTrace(std::string_view name);
  void OnMessage(const trace::SaidMessage& said) override;
  void OnElement(const trace::SaidMessage& element) override;
  void OnJunk(const trace::SaidJunk& said) override;
  void OnSectionEnd(const wire::Exchanges&) override { EndSession(); }
  // After the last one.
  void EndSession();

  // What to write, by path:
  //   seeds/TRACE.wire       all that the role said in a session (TRACE-2.wire in its second, ...),
  //   seeds/METHOD.KIND.wire the first message of each kind that the role said, in its frame,
  //   messages/WHO.METHOD.KIND.json  the first message of each kind of either party, its body.
  // KIND: request, notification, result, error or errorCODE, batch. None holds what another one in
  // its folder does.
  const std::map<std::string, std::string>& files() const { return files_; }
  Vocabulary* words() { return &words_; }
  uint64_t messages() const { return messages_; }
  // Sessions that were longer than kMaxSeedSize: their seeds end with the last message before it.
  uint64_t cut_sessions() const { return cut_sessions_; }
  uint64_t left_out() const { return left_out_; }          // files beyond the caps
  bool kinds_left_out() const { return kinds_left_out_; }  // there were more than kMaxCorpusFiles

 private:
  void AddKind(const trace::SaidMessage& said);
  void AddFile(std::string_view folder, std::string name, std::string_view ending,
               std::string_view bytes);
  void Say(std::string_view bytes, bool whole);

  const wire::Direction role_;
  std::map<std::string, std::string> files_;
  struct Folder {
    size_t files = 0, size = 0;
  };
  std::map<std::string, Folder, std::less<>> folders_;
  std::unordered_set<std::string> held_;  // folder and content
  std::unordered_set<std::string> kinds_;
  std::vector<std::pair<std::string, std::string>> pending_;  // seeds of this session's messages
  size_t pending_size_ = 0;
  Vocabulary words_;
  std::string trace_, session_;
  bool cut_ = false, kinds_left_out_ = false;
  uint64_t messages_ = 0, cut_sessions_ = 0, left_out_ = 0;
};

}  // namespace midwire::fuzz
