// The rows of a page: one for each line of a timeline, as values. Filled by tools/, which reads the
// trace; written as the columns that view/page/DATA.md describes. Pure; holds no body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "view/page/strings.h"
#include "wire/json/writer.h"

namespace midwire::view {

enum class RowKind : uint8_t {
  kRequest,
  kResponse,
  kError,
  kNotification,
  kBatch,
  kInvalid,
  kJunk,
  kEvent,
  kStderr,
  kDamage,
};

enum RowFlag : uint8_t {
  kFailedRow = 1,     // also where its failure has no text
  kElementRow = 2,    // of a batch
  kCancelledRow = 4,  // a call that its caller cancelled
  kVolatileRow = 8,   // a notification that a replay ignores
  kOrphanRow = 16,    // an answer to no request
  kUnreadRow = 32,    // its reader closed the stream before it had read it
};

// Names a row for as long as its Rows exist: 0, 1, 2, ... in order, also of rows that were left
// out.
using RowId = uint64_t;
inline constexpr RowId kNoRow = UINT64_MAX;

struct PageRow {
  RowKind kind = RowKind::kEvent;
  uint8_t direction = 2;  // 0 host to plugin, 1 plugin to host, 2 neither
  uint8_t flags = 0;      // RowFlag
  uint64_t number = 0;
  int64_t at_ns = 0;       // since its session began
  RowId request = kNoRow;  // of an answer
  RowId parent = kNoRow;   // the call that it was made for
  std::string_view method, label, id, failure, error, remarks;
  std::optional<int64_t> code;
  uint64_t size = 0, header = 0, body = 0;
  uint64_t kept = 0;  // how many of its bytes are in the blob
};

// More rows than this make a page that no browser opens in reasonable time.
inline constexpr size_t kMaxPageRows = 1'000'000;

class Rows {
 public:
  // `id`: above that of the row before.
  void Add(RowId id, const PageRow& row);
  void AddFlags(RowId id, uint8_t flags);  // of a row that was added; others are ignored
  // Of messages of one direction: from row `first` on, up to number `last`.
  void AddFlags(RowId first, uint64_t last, uint8_t direction, uint8_t flags);
  // Positions of rows that got flags after they were added, in that order; some more than once.
  const std::vector<uint32_t>& flagged() const { return flagged_; }
  uint8_t flags(size_t position) const { return rows_[position].flags; }
  size_t count() const { return rows_.size(); }
  // Where it is among the rows; nullopt: it is not among them.
  std::optional<size_t> PositionOf(RowId id) const;
  // Of the first row that has this id or a later one.
  size_t LowerBound(RowId id) const;
  int64_t at_ns(size_t position) const { return rows_[position].at_ns; }
  uint64_t kept(size_t position) const { return rows_[position].kept; }

  // The members "strings" and "rows" for rows `from` up to `to`. `starts`: positions at which a
  // session begins, ascending. `known`: the reader has the rows from this one on already, so that
  // times and pairs refer to them.
  void Write(size_t from, size_t to, const std::vector<size_t>& starts, wire::JsonWriter* json,
             size_t known = SIZE_MAX) const;

 private:
  struct Row {
    RowId id, request, parent;
    int64_t at_ns, code;
    uint64_t number, size, header, body, kept;
    uint32_t method, label, name, failure, error, remarks;
    uint8_t kind, direction, flags;
    bool has_code;
  };
  template <typename Value>
  void Column(wire::JsonKey name, int64_t standard, size_t from, size_t to, const Value& value,
              wire::JsonWriter* json) const;
  int64_t Back(size_t position, size_t from, RowId id) const;
  void Flag(size_t position, uint8_t flags);

  std::vector<Row> rows_;
  std::vector<uint32_t> flagged_;
  Strings strings_;
};

}  // namespace midwire::view
