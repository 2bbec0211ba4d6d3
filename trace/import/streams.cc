#include "trace/import/streams.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "trace/import/entries.h"
#include "trace/import/readers.h"
#include "wire/decoder.h"

namespace midwire::trace::import {
namespace {

// A frame, or bytes that are none.
struct Piece {
  std::string_view bytes;
  std::vector<std::string> asks, answers;  // ids as they are spelt
  bool framed = false;  // a message, and no batch, which many JSON files look like
};

class PieceCollector : public wire::FrameHandler {
 public:
  explicit PieceCollector(std::string_view bytes) : bytes_(bytes) {}
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    Piece* piece = Add(frame.size);
    piece->framed = message.kind != wire::Kind::kInvalid && message.kind != wire::Kind::kBatch;
    NoteIds(message, piece);
    for (const wire::Message& element : message.elements) NoteIds(element, piece);
  }
  void OnJunk(const wire::Junk& junk) override { Add(junk.size); }

  std::vector<Piece> pieces;

 private:
  Piece* Add(uint64_t size) {
    Piece& piece = pieces.emplace_back();
    piece.bytes = bytes_.substr(at_, size);
    at_ += piece.bytes.size();
    return &piece;
  }
  static void NoteIds(const wire::Message& message, Piece* piece) {
    if (message.kind == wire::Kind::kRequest) piece->asks.push_back(message.id.token);
    if (message.IsAnswer()) piece->answers.push_back(message.id.token);
  }
  std::string_view bytes_;
  size_t at_ = 0;
};

std::vector<Piece> PiecesOf(std::string_view bytes) {
  PieceCollector collector(bytes);
  wire::Decoder decoder(wire::Framing::kAuto, /*keep_bytes=*/0);
  decoder.Feed(bytes, &collector);
  decoder.Finish(&collector);
  return std::move(collector.pieces);
}

// One of the two streams while they are merged.
struct Merged {
  std::vector<Piece> pieces;
  Stream stream;
  size_t at = 0;
  std::map<std::string, size_t> open = {};  // ids that it asked and that wait for an answer
  size_t waiting = 0;
  // Ids that its next piece answers and that are not open in the other stream.
  std::set<std::string_view> missing = {};

  bool done() const { return at == pieces.size(); }
  // Whether the next piece answers only what is open.
  bool may_follow() const { return !done() && missing.empty(); }
};

// Puts the two streams into one order. A piece may wait for as many ids as there are lines in the
// other stream, so they are not looked up again for each of these.
class StreamMerger {
 public:
  explicit StreamMerger(Conversation* conversation) : conversation_(conversation) {}

  // Which ids the next piece of `from` waits for.
  void LookAhead(Merged* from, const Merged& to) {
    from->missing.clear();
    if (from->done()) return;
    for (const std::string& id : from->pieces[from->at].answers) {
      ++lookups_;
      const auto open = to.open.find(id);
      if (open == to.open.end() || open->second == 0) from->missing.insert(id);
    }
  }

  void Move(Merged* from, Merged* to) {
    const Piece& piece = from->pieces[from->at++];
    conversation_->Bytes(from->stream, piece.bytes);
    lookups_ += piece.asks.size() + piece.answers.size();
    for (const std::string& id : piece.asks) {
      ++from->open[id], ++from->waiting;
      to->missing.erase(id);
    }
    for (const std::string& id : piece.answers) {
      const auto open = to->open.find(id);
      if (open != to->open.end() && open->second > 0) --open->second, --to->waiting;
    }
    LookAhead(from, *to);
  }

  uint64_t lookups() const { return lookups_; }

 private:
  Conversation* const conversation_;
  uint64_t lookups_ = 0;
};

}  // namespace

uint64_t ReadStreams(std::string_view host_bytes, std::string_view plugin_bytes, Conversation* to) {
  Merged host{PiecesOf(host_bytes), Stream::kHostToPlugin};
  Merged plugin{PiecesOf(plugin_bytes), Stream::kPluginToHost};
  StreamMerger merger(to);
  merger.LookAhead(&host, plugin);
  merger.LookAhead(&plugin, host);
  while (!host.done() || !plugin.done()) {
    // Also an answer to nothing, when nothing else can come.
    const bool plugin_next =
        (host.waiting > 0 && plugin.may_follow()) || (!host.may_follow() && !plugin.done());
    if (plugin_next) {
      merger.Move(&plugin, &host);
    } else {
      merger.Move(&host, &plugin);
    }
  }
  return merger.lookups();
}

bool IsPluginStream(std::string_view bytes) {
  for (const Piece& piece : PiecesOf(StartOf(bytes))) {
    if (!piece.answers.empty()) return true;
    if (!piece.asks.empty()) return false;
  }
  return false;
}

// Detected by its first message, which must be near the beginning: banners come before it.
bool IsOneStream(std::string_view start) {
  constexpr size_t kFirstPieces = 20;
  const std::vector<Piece> pieces = PiecesOf(start);
  for (size_t i = 0; i < pieces.size() && i < kFirstPieces; ++i) {
    if (pieces[i].framed) return true;
  }
  return false;
}

void ReadOneStream(std::string_view log, Conversation* to) {
  const bool plugin = IsPluginStream(log);
  ReadStreams(plugin ? "" : log, plugin ? log : "", to);
}

}  // namespace midwire::trace::import
