// The data of a page: columns, texts, numbers of rows.
#include <gtest/gtest.h>
#include <libdeflate.h>

#include "view/page/index.h"
#include "view/page/page.h"
#include "wire/json/base64.h"
#include "wire/json/value.h"

namespace midwire::view {
namespace {

std::string RowsJson(const Rows& rows, size_t from, size_t to, std::vector<size_t> starts = {0}) {
  std::string out;
  wire::JsonWriter json(&out);
  json.Open('{');
  rows.Write(from, to, starts, &json);
  json.Close('}');
  return out;
}

PageRow RequestRow(uint64_t number, int64_t at_ns, std::string_view method) {
  return {.kind = RowKind::kRequest,
          .direction = 0,
          .number = number,
          .at_ns = at_ns,
          .method = method,
          .size = 10,
          .body = 9,
          .kept = 10};
}
PageRow AnswerRow(uint64_t number, int64_t at_ns, std::string_view method, RowId request) {
  PageRow row = RequestRow(number, at_ns, method);
  row.kind = RowKind::kResponse;
  row.direction = 1;
  row.request = request;
  return row;
}

TEST(PageRowsTest, TimesAndPairsAreDifferencesToRowsBefore) {
  Rows rows;
  rows.Add(0, RequestRow(1, 100, "a"));
  rows.Add(1, RequestRow(2, 250, "b"));
  rows.Add(2, AnswerRow(3, 300, "a", 0));
  EXPECT_EQ(RowsJson(rows, 0, 3),
            R"({"strings":["","a","b"],"rows":{"count":3,"kind":[0,0,1],"number":[1,2,3],)"
            R"("at":[100,150,50],"dir":[0,0,1],"method":[1,2,1],"pair":[0,0,2],)"
            R"("size":[10,10,10],"body":[9,9,9]}})");
}

TEST(PageRowsTest, TimesOfEachSessionHaveTheirOwnStart) {
  Rows rows;
  rows.Add(0, RequestRow(1, 100, "a"));
  rows.Add(1, RequestRow(2, 30, "a"));
  EXPECT_NE(RowsJson(rows, 0, 2, {0, 1}).find(R"("at":[100,30])"), std::string::npos);
  EXPECT_NE(RowsJson(rows, 0, 2).find(R"("at":[100,-70])"), std::string::npos);
}

TEST(PageRowsTest, APartHasOnlyItsOwnTextsAndPairs) {
  Rows rows;
  rows.Add(0, RequestRow(1, 100, "first"));
  rows.Add(1, AnswerRow(2, 200, "first", 0));
  rows.Add(2, RequestRow(3, 300, "second"));
  const std::string part = RowsJson(rows, 1, 3);
  EXPECT_NE(part.find(R"("strings":["","first","second"])"), std::string::npos) << part;
  EXPECT_NE(part.find(R"("at":[200,100])"), std::string::npos) << part;
  EXPECT_EQ(part.find("pair"), std::string::npos) << part;
}

TEST(PageRowsTest, APartThatContinuesRefersToRowsThatAreKnown) {
  Rows rows;
  rows.Add(0, RequestRow(1, 100, "old"));
  rows.Add(1, RequestRow(2, 150, "first"));
  rows.Add(2, AnswerRow(3, 200, "first", 1));
  rows.Add(3, AnswerRow(4, 300, "old", 0));
  std::string out;
  wire::JsonWriter json(&out);
  json.Open('{');
  rows.Write(2, 4, {0}, &json, 1);
  EXPECT_NE(out.find(R"("at":[50,100])"), std::string::npos) << out;
  EXPECT_NE(out.find(R"("pair":[1,0])"), std::string::npos) << out;
}

TEST(PageRowsTest, RowsThatWereLeftOutPairNothing) {
  Rows rows;
  rows.Add(4, RequestRow(1, 100, "a"));
  rows.Add(9, AnswerRow(3, 300, "a", 4));
  rows.Add(12, AnswerRow(5, 400, "b", 8));
  EXPECT_NE(RowsJson(rows, 0, 3).find(R"("pair":[0,1,0])"), std::string::npos);
}

TEST(PageRowsTest, CutBodiesAndCodesHaveColumns) {
  Rows rows;
  PageRow row = RequestRow(1, 100, "a");
  row.kept = 4;
  row.code = -32601;
  rows.Add(0, row);
  rows.Add(1, RequestRow(2, 200, "a"));
  const std::string json = RowsJson(rows, 0, 2);
  EXPECT_NE(json.find(R"("kept":[4,10])"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("code":[-32601,null])"), std::string::npos) << json;
}

TEST(PageRowsTest, MessagesOfOneDirectionAreFlaggedUpToANumber) {
  Rows rows;
  rows.Add(0, RequestRow(1, 100, "a"));
  rows.Add(1, RequestRow(2, 200, "a"));
  rows.Add(2, AnswerRow(3, 300, "a", 0));
  rows.Add(3, {.kind = RowKind::kEvent});
  rows.Add(4, RequestRow(4, 400, "a"));
  rows.Add(5, RequestRow(5, 500, "a"));
  rows.AddFlags(1, 4, 0, kUnreadRow);
  EXPECT_NE(RowsJson(rows, 0, 6).find(R"("flags":[0,32,0,0,32,0])"), std::string::npos);
}

TEST(PageTextTest, BytesThatAreNotUtf8AreVisible) {
  EXPECT_EQ(PageText("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(PageText("\u00e9\u00e9", 3), "\u00e9\u2026");
}

PageIndex SmallIndex() {
  PageIndex index;
  index.version = "1";
  index.sessions.push_back({.trace = "t", .first = 0, .end = 2, .start_ns = 5});
  index.rows.Add(1, RequestRow(1, 100, "a"));
  return index;
}

TEST(PageIndexTest, SessionsCountTheRowsThatAreThere) {
  const Result<wire::Json> json = wire::ParseJson(IndexJson(SmallIndex()));
  ASSERT_TRUE(json.ok());
  const wire::Json& session = json->Find("sessions")->items.at(0);
  EXPECT_EQ(session.Find("first")->Integer(), 0);
  EXPECT_EQ(session.Find("count")->Integer(), 1);
  EXPECT_EQ(session.String("start"), "5");
}

TEST(PageIndexTest, APieceHasOnlyTheSessionsOfItsRows) {
  PageIndex index;
  for (RowId id = 0; id < 4; ++id) index.rows.Add(id, RequestRow(id + 1, 100, "a"));
  index.sessions.push_back({.trace = "gone", .first = 0, .end = 1});
  index.sessions.push_back({.trace = "cut", .first = 1, .end = 3});
  index.sessions.push_back({.trace = "last", .first = 3, .end = 4});
  const Result<wire::Json> json =
      wire::ParseJson(PieceJson(index, {.from = 2, .to = 4, .live = true, .now_ns = 9}));
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->Find("from")->Integer(), 2);
  EXPECT_EQ(json->Find("total")->Integer(), 4);
  EXPECT_EQ(json->Find("now")->Integer(), 9);
  const std::vector<wire::Json>& sessions = json->Find("sessions")->items;
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].String("trace"), "cut");
  EXPECT_EQ(sessions[0].Find("first")->Integer(), 0);
  EXPECT_EQ(sessions[0].Find("count")->Integer(), 1);
  EXPECT_EQ(sessions[1].Find("first")->Integer(), 1);
}

TEST(PageIndexTest, APieceOfATraceWithoutRowsHasASession) {
  PageIndex index;
  index.sessions.push_back({.trace = "empty"});
  const Result<wire::Json> json = wire::ParseJson(PieceJson(index, {}));
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->Find("sessions")->items.size(), 1u);
}

TEST(PageIndexTest, HandlesAndFindingsNameRowsByPosition) {
  PageIndex index = SmallIndex();
  index.handles.push_back({"h", "v", {{0, PageHandle::Use::kMade}, {1, PageHandle::Use::kUsed}}});
  index.handles.push_back({"gone", "v", {{0, PageHandle::Use::kMade}}});
  index.sessions.front().check = PageCheck{.dialect = "mcp", .rules = 3};
  index.findings.push_back({.violation = {.rule = "r", .text = "here"}, .row = 1});
  index.findings.push_back({.violation = {.rule = "r", .text = "nowhere"}, .row = kNoRow});
  const std::string json = IndexJson(index);
  EXPECT_NE(json.find(R"("handles":[{"name":"h","value":"v","rows":[0],"kinds":[1]}])"),
            std::string::npos)
      << json;
  EXPECT_LT(json.find("nowhere"), json.find("here\"")) << json;
  EXPECT_NE(json.find(R"("row":-1)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("checked":{"dialect":"mcp","rules":3,"incomplete":false})"),
            std::string::npos);
}

TEST(PageIndexTest, AFlagThatBecomesKnownLaterIsAnEventOfThePagesThatHaveTheRow) {
  PageIndex index;
  for (RowId id = 0; id < 4; ++id) index.rows.Add(id, RequestRow(id + 1, 100, "a"));
  index.rows.AddFlags(2, kCancelledRow);
  index.rows.AddFlags(2, kCancelledRow);
  EXPECT_EQ(index.rows.flagged().size(), 1u);
  EXPECT_EQ(FlagsEvent(index, 0, 1, 1, 3), R"({"rows":[1],"flags":[4]})");
  EXPECT_EQ(FlagsEvent(index, 0, 1, 0, 2), "");
  EXPECT_EQ(FlagsEvent(index, 0, 1, 3, 4), "");
}

TEST(PageIndexTest, ItemsOfAnArrayAreListedWithTheirIndexes) {
  using What = trace::ItemChange::What;
  PageIndex index = SmallIndex();
  trace::ItemChanges items{
      .pointer = "/result/tools", .recorded = 3, .came = 4, .first = {}, .count = 9};
  items.first = {{What::kNew, "\"a\"", 0, 1},
                 {What::kGone, "2", 2, 0},
                 {What::kDiffers, "\"b\"", 0, 3, "/result/tools/0/x", "1", "2"}};
  index.findings.push_back({.source = FindingSource::kReplay, .row = 1, .items = items});
  EXPECT_NE(
      IndexJson(index).find(
          R"("items":{"pointer":"/result/tools","recorded":3,"came":4,"count":9,"changes":[)"
          R"({"change":"new","item":"\"a\"","at":1},{"change":"gone","item":"2","from":2},)"
          R"({"change":"differs","item":"\"b\"","from":0,"at":3,"pointer":"/result/tools/0/x",)"
          R"("expected":"1","got":"2"}]})"),
      std::string::npos)
      << IndexJson(index);
}

TEST(PageIndexTest, AReplayWithoutDifferencesHasAnEmptyListOfFindings) {
  PageIndex index = SmallIndex();
  EXPECT_EQ(IndexJson(index).find("findings"), std::string::npos);
  index.replay = PageReplay{.verb = "replay", .same = true, .matched = 4, .expected = 4};
  EXPECT_NE(
      IndexJson(index).find(
          R"("findings":[],"replayed":{"verb":"replay","same":true,"matched":4,"expected":4})"),
      std::string::npos);
}

TEST(ReportPageTest, HasNoPlaceholderAndNoNetwork) {
  const std::string page = ReportPage("{}", "@MIDWIRE_BYTES@ $& </script>");
  EXPECT_EQ(page.find("@MIDWIRE_"), std::string::npos);
  EXPECT_NE(page.find("connect-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
  EXPECT_EQ(page.find("href=\"http"), std::string::npos);
}

TEST(ReportPageTest, DataIsGzipInBase64) {
  const std::string page = ReportPage("the index", "");
  const std::string_view start = R"(id="index">)";
  const size_t at = page.find(start) + start.size();
  std::string packed;
  ASSERT_TRUE(wire::DecodeBase64(page.substr(at, page.find('<', at) - at), &packed));
  std::string text(64, '\0');
  size_t size = 0;
  libdeflate_decompressor* unpacker = libdeflate_alloc_decompressor();
  EXPECT_EQ(libdeflate_gzip_decompress(unpacker, packed.data(), packed.size(), text.data(),
                                       text.size(), &size),
            LIBDEFLATE_SUCCESS);
  libdeflate_free_decompressor(unpacker);
  EXPECT_EQ(text.substr(0, size), "the index");
}

}  // namespace
}  // namespace midwire::view
