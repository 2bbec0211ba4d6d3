// Prints the findings that midwire fuzz has saved (doc/fuzz.md): text for a terminal, Markdown for
// an issue, a page, SARIF 2.1.0 for code scanning, JUnit XML for CI systems. Called by midwire
// findings. Pure: equal findings give equal bytes. Everything that peers sent is escaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace midwire::view {

struct SavedFinding {
  std::string cassette;  // as the user named its folder
  std::string severity;  // "error", "warning" or "note"
  std::string kind;      // "memory error"
  std::string oracle, key, text;
  std::string err;  // the line of its stderr that explains the finding; may be empty
  // What was sent, see InputLines.
  std::vector<std::string> input;
  std::string sent;   // how much that was, and how: "3 messages, 210 bytes, lockstep"
  std::string flaky;  // "1 of 5": so many plays showed it; "": all
  // Keys of findings with the same cause, and how many there are: of very many, some are not
  // listed.
  std::vector<std::string> like{};
  uint64_t like_count = 0;
  std::vector<std::string> also{};  // other cassettes of it, which are larger
  std::string command;              // what plays it again, for a shell
  std::string dialect;              // its name; may be empty
};

// At most five: of more messages the first and the last three, which are the nearest to the fault.
// at_fault: the index of the message at fault, which is marked, unless it is the only one. If it is
// none of the first and last ones, there are two lines more.
inline constexpr size_t kMaxInputLines = 5;
std::vector<std::string> InputLines(const std::vector<std::string>& messages,
                                    std::optional<size_t> at_fault = std::nullopt);

// "12: missing open, missing close, ...": how many are like it, and the first; "": none.
std::string LikeText(const SavedFinding& finding);

// "a.jsonl, b.jsonl": the other cassettes; "": none.
std::string AlsoText(const SavedFinding& finding);

struct SeverityCounts {
  uint64_t errors = 0, warnings = 0, notes = 0;
};
SeverityCounts CountSeverities(std::span<const SavedFinding> findings);
// "3 findings: 1 error, 2 warnings, 0 notes"
std::string CountText(std::span<const SavedFinding> findings);

// In the order of the list. `width`: of the terminal, at which all but commands is folded; 0: there
// is none.
void AppendSavedText(std::span<const SavedFinding> findings, size_t width, std::string* out);
void AppendSavedText(std::span<const SavedFinding> findings, std::string* out);
// Of one finding, without the counts.
void AppendSavedFinding(const SavedFinding& finding, size_t width, std::string* out);
void AppendSavedMarkdown(std::span<const SavedFinding> findings, std::string* out);
// A page that loads nothing and has no script.
void AppendSavedHtml(std::span<const SavedFinding> findings, std::string* out);
// One run; each cassette is an artifact of it.
void AppendSavedSarif(std::span<const SavedFinding> findings, std::string* out);
// A suite with a test per finding; only errors and warnings are failures.
void AppendSavedJunit(std::span<const SavedFinding> findings, std::string* out);

}  // namespace midwire::view
