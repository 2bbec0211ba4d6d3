// Checks a session against a dialect, or against the revision of it that the session has agreed on.
// A handler of a session: it prepares each message once and passes it to a list of rules, each for
// one clause. Prepared are the spans of params and result, the method's spec, and the request of an
// answer. Called by tools/ for `midwire check`, and by infer. Pure: the caller
// prints what the rules report.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/echoes.h"
#include "check/known_shape.h"
#include "check/pieces.h"
#include "check/rules/rule.h"
#include "trace/dialect/negotiated.h"
#include "wire/json/parts.h"

namespace midwire::check {

class Checker : public trace::SessionHandler {
 public:
  // An error: a rule of the dialect, or of one of its revisions, cannot be made. `dialect` must
  // outlive it.
  static Result<std::unique_ptr<Checker>> Create(const wire::Dialect* dialect,
                                                 CheckReport::Sink sink);

  // Adds a rule that runs after those of the dialect: infer.h observes messages through one.
  void Add(std::unique_ptr<CheckRule> rule);

  void OnMessage(const RecordedMessage& recorded) override;
  void OnElement(const RecordedMessage& element) override;
  void OnJunk(const RecordedJunk& junk) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const Event& event) override;
  void OnSectionEnd(const wire::Exchanges& exchanges) override;
  // Damage in the trace: call before the session's OnGap.
  void OnGap();
  // The trace is over. Call once.
  void Finish();

  // After Finish, for people: "2025-06-18", the revision that the sessions were checked against;
  // several with ", " between them; "": the dialect has none.
  const std::string& revisions() const { return spoken_revisions_; }

 private:
  // A rule and the revisions that have it, as bits by their index. A rule sees all messages until
  // the session has settled on a revision, because it may need what comes before; it reports only
  // at messages of its own revisions.
  struct Slot {
    std::unique_ptr<CheckRule> rule;
    uint32_t revisions;
  };
  static constexpr uint32_t kAllRevisions = UINT32_MAX;
  // Of all methods. A shape takes about 10 KiB at most, and most a tenth of that.
  static constexpr size_t kMaxShapes = 512;

  Checker(const wire::Dialect* dialect, CheckReport::Sink sink);
  Status AddRules(const wire::Dialect& revision, uint32_t bit);
  void Use(const wire::Dialect* revision);
  template <typename Call>
  void Each(const Call& call);
  // What is found once per method.
  struct Method {
    std::vector<uint32_t> rules;              // that read its messages, as indices of rules_
    std::vector<uint32_t> own;                // of these, those of `revision`
    bool negotiates = false;                  // its messages may offer or agree on a revision
    const wire::Dialect* revision = nullptr;  // that `spec` is of; null: it is to be found
    const wire::MethodSpec* spec = nullptr;   // null: the revision does not have the method
    KnownShapes calls, answers;               // shapes of its messages
  };
  Method& Find(std::string_view name);
  bool HasNews(const Observed& seen, const Method& method);
  KnownShape* Read(Observed* seen, Method* method);
  void ShowRules(const Observed& seen, const Method& method, KnownShape* shape);
  void LearnReaders(const Observed& seen, const Method& method, KnownShape* shape);
  void ReportUnknown(const Observed& seen);
  void ReportNotAgreed();
  void NoteRevision();
  void FindParts(Observed* seen) const;
  void Show(const RecordedMessage& recorded, std::string_view body);
  void ShowMessage(const RecordedMessage& recorded);
  bool IsEcho(const Observed& seen);
  void ShowJoined(Pieces* pieces);
  void Release(Pieces* pieces);
  Pieces& pieces(wire::Direction direction) { return pieces_[static_cast<int>(direction)]; }
  void ReportJunk(const RecordedJunk& junk);
  void ReportRest(const RecordedJunk& junk);
  void ReportCutOff(wire::Direction direction);

  const wire::Dialect* dialect_;
  trace::Negotiated negotiated_;
  std::string version_;                // the latest one of a single message, as spelt; "": none
  uint32_t revision_ = kAllRevisions;  // the bit of the current one
  std::string spoken_revisions_;       // see revisions()
  PlaceTree places_;                   // of the rules, and:
  struct Parts {
    uint32_t params, arguments, result, body, error;
  };
  const Parts parts_;
  std::optional<RulePlace> version_place_;  // if each message says its revision in one place
  PlaceValues values_;
  CheckReport report_;
  std::vector<Slot> rules_;
  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  std::unordered_map<std::string, Method, NameHash, std::equal_to<>> methods_;
  uint64_t epoch_ = 1;  // of sessions and gaps, for KnownShape
  RuleReads reads_;     // memory that is used again
  size_t shapes_left_ = kMaxShapes;
  Method other_;                             // any that is not in methods_: all rules
  std::map<std::string, size_t> known_;      // rules_ by what they are made of
  std::optional<wire::JsonParts> elements_;  // of the current batch, from its next element on
  // A message that its stream's end cut off, by direction. Later events show whether the peer or
  // the recording ended there.
  struct CutOff {
    int64_t time_ns;
    std::string bytes;
    uint64_t size;
    uint64_t line;
  };
  std::optional<CutOff> cut_off_[2];
  Pieces pieces_[2];  // by direction
  Echoes echoes_;
  bool resumed_[2] = {};  // the next frame begins right after joined pieces
  bool broken_[2] = {};   // the latest frame is a part of a line that is not JSON
  bool spawned_ = false, ended_ = false, gap_ = false, spoken_ = false;
};

}  // namespace midwire::check
