#include "tools/fuzzing/alike_findings.h"

#include <string.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/case.h"
#include "io/files/write_file.h"
#include "tools/fuzzing/replay_finding.h"

namespace midwire::tools {
namespace {

// Of one cassette: what a job reports at most, and what its header has room for.
constexpr size_t kMaxKeys = 1000;

Status AddTo(const std::string& cassette, std::set<std::string>* keys) {
  const auto record = FindingOf(cassette);
  if (!record) return record.error();
  if (!*record) return Error{"not a finding", cassette, "another program has changed it"};
  keys->insert((*record)->like.begin(), (*record)->like.end());
  keys->erase((*record)->key);
  if (keys->size() <= (*record)->like.size()) return Ok{};
  std::ifstream file(cassette, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto added = fuzz::WithLike(text, {keys->begin(), keys->end()});
  if (!added) return Error{"not a finding", cassette, "another program has changed it"};
  if (io::WriteFile(cassette, *added)) return Ok{};
  return Error{"cannot write a finding", cassette, strerror(errno)};
}

}  // namespace

void AlikeFindings::Add(const std::string& cassette, const std::string& key) {
  std::set<std::string>& keys = keys_[cassette];
  if (keys.size() < kMaxKeys) keys.insert(key);
}

Status AlikeFindings::Write() {
  Status result = Ok{};
  for (auto& [cassette, keys] : keys_) {
    const Status added = AddTo(cassette, &keys);
    if (!added) result = added;
  }
  return result;
}

size_t AlikeFindings::CountFor(const std::string& cassette) const {
  const auto found = keys_.find(cassette);
  return found == keys_.end() ? 0 : found->second.size();
}

std::string AndLikeIt(size_t count) {
  return count == 0 ? "" : " (and " + std::to_string(count) + " like it)";
}

}  // namespace midwire::tools
