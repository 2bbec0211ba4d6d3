// The names of the faults, and what each does to one message.
#include <algorithm>

#include "fuzz/chaos/chaos.h"

namespace midwire::fuzz {
namespace {

constexpr std::string_view kNames[kFaults] = {"drop",  "dup",      "delay",    "reorder",
                                              "split", "coalesce", "truncate", "corrupt",
                                              "junk",  "stall",    "close",    "kill"};

// Text that libraries and interpreters print where only messages should be.
constexpr std::string_view kJunkLines[] = {
    "Loading configuration...\n",
    "\n",
    "[INFO] ready\n",
    "DeprecationWarning: this is deprecated\r\n",
    "\x1b[33mwarning\x1b[0m: something happened\n",
    "{not json}\n",
    "\xff\xfe\n",
};

constexpr size_t kMaxPieces = 5, kMaxCorruptBytes = 4;

}  // namespace

std::string_view Name(Fault fault) { return kNames[static_cast<size_t>(fault)]; }

Result<std::vector<Fault>> ParseFaults(std::string_view text) {
  std::array<bool, kFaults> listed{};
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    const auto at = std::find(std::begin(kNames), std::end(kNames), name);
    if (name == "all") {
      listed.fill(true);
    } else if (at != std::end(kNames)) {
      listed[static_cast<size_t>(at - std::begin(kNames))] = true;
    } else {
      std::string all = "all";
      for (const std::string_view each : kNames) (all += ", ") += each;
      return Error{"no such fault", "\"" + std::string(name) + "\"", "try " + all};
    }
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  std::vector<Fault> faults;
  for (size_t i = 0; i < kFaults; ++i) {
    if (listed[i]) faults.push_back(static_cast<Fault>(i));
  }
  return faults;
}

std::vector<Fault> GentleFaults() {
  std::vector<Fault> faults;
  for (size_t i = 0; i < static_cast<size_t>(Fault::kStall); ++i) {
    faults.push_back(static_cast<Fault>(i));
  }
  return faults;
}

bool Chaos::Pieces(Fault fault, const wire::Frame& frame, Random* random, trace::ChaosEvent* event,
                   std::vector<Piece>* pieces) const {
  const std::string_view bytes = frame.bytes, body = frame.body();
  const auto report = [event](std::string_view sent) {
    event->has_sent = true;
    event->sent = sent.substr(0, trace::kMaxChaosSent);
    event->sent_cut = sent.size() > trace::kMaxChaosSent;
  };
  const auto add = [pieces](std::string_view piece, int64_t pause_ms = 0) {
    pieces->push_back({std::string(piece), pause_ms});
  };
  switch (fault) {
    case Fault::kDup:
      add(bytes);
      add(bytes);
      return true;
    case Fault::kDelay:
    case Fault::kStall:
      event->ms = fault == Fault::kStall
                      ? options_.stall_ms
                      : 1 + static_cast<int64_t>(random->Below(
                                static_cast<size_t>(std::max<int64_t>(options_.delay_ms, 1))));
      add(bytes, event->ms);
      return true;
    case Fault::kSplit: {
      if (bytes.size() < 2) return false;
      std::vector<size_t> cuts;
      for (size_t i = random->Below(kMaxPieces - 1) + 1; i > 0; --i) {
        cuts.push_back(1 + random->Below(bytes.size() - 1));
      }
      cuts.push_back(bytes.size());
      std::sort(cuts.begin(), cuts.end());
      size_t at = 0;
      for (const size_t cut : cuts) {
        if (cut == at) continue;
        add(bytes.substr(at, cut - at), at == 0 ? 0 : options_.piece_ms);
        at = cut;
      }
      return true;
    }
    case Fault::kTruncate: {
      if (body.size() < 2) return false;
      std::string cut(frame.head());
      cut += body.substr(0, 1 + random->Below(body.size() - 1));
      cut += frame.tail();
      report(cut);
      add(cut);
      return true;
    }
    case Fault::kCorrupt: {
      if (body.empty()) return false;
      std::string other(bytes);
      for (size_t i = random->Below(kMaxCorruptBytes) + 1; i > 0; --i) {
        char& byte = other[frame.head().size() + random->Below(body.size())];
        byte = static_cast<char>(byte ^ static_cast<char>(1 + random->Below(255)));
      }
      if (other == bytes) return false;  // one byte was changed twice, and back
      report(other);
      add(other);
      return true;
    }
    case Fault::kJunk: {
      const std::string_view line = kJunkLines[random->Below(std::size(kJunkLines))];
      report(line);
      add(line);
      add(bytes);
      return true;
    }
    case Fault::kDrop:
    case Fault::kReorder:
    case Fault::kCoalesce:
    case Fault::kClose:
    case Fault::kKill:
      return true;
  }
  return false;
}

}  // namespace midwire::fuzz
