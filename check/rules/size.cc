// Rule type "size": a value must not be larger than "max" bytes, as spelt on the wire.
//   {"type":"size","at":"storage/set:/params/data","max":1048576}
#include "check/rules/types.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class SizeRule : public CheckRule {
 public:
  SizeRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule), at_(in->Place("at")), max_(in->Integer("max")) {}

  bool Reads(std::string_view method) const override { return at_.OfMethod(method); }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    const auto value = ValueOf(at_, seen);
    if (!value || static_cast<int64_t>(value->size()) <= max_) return;
    report->AddWrong(seen, *rule_, wire::PointerText(at_.pointer),
                     "at most " + std::to_string(max_) + " bytes",
                     std::to_string(value->size()) + " bytes");
  }

 private:
  const wire::RuleSpec* rule_;
  RulePlace at_;
  int64_t max_;
};

}  // namespace

MadeRule MakeSizeRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<SizeRule>(&rule, in);
}

}  // namespace midwire::check
