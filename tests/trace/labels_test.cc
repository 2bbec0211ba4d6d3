#include "trace/dialect/labels.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/trace/conversation.h"
#include "wire/json/parts.h"

namespace midwire::trace {
namespace {

// Writes "NUMBER LABEL" per message, and "failed" behind a failure.
class LabelListener : public SessionHandler {
 public:
  explicit LabelListener(const wire::Dialect* dialect) : labels_(dialect) {}
  void OnMessage(const RecordedMessage& recorded) override {
    Add(recorded, recorded.frame->body());
  }
  void OnElement(const RecordedMessage& element) override { Add(element, ""); }
  std::string text;

 private:
  void Add(const RecordedMessage& recorded, std::string_view body) {
    const wire::OpenRequest* request = recorded.request ? &*recorded.request : nullptr;
    const Labels::Of of = labels_.OnMessage(
        recorded.direction,
        {.message = recorded.message,
         .method = request != nullptr ? std::string_view(request->method)
                                      : std::string_view(recorded.message->method),
         .body = wire::Trimmed(body),
         .number = recorded.number,
         .request = request});
    text += std::to_string(recorded.number) + " " + std::string(of.label) +
            (of.failed ? " failed\n" : "\n");
  }
  Labels labels_;
};

std::string Labelled(const std::string& members, const std::string& conversation) {
  const Result<wire::Dialect> dialect = DialectOf(members);
  EXPECT_TRUE(dialect) << (dialect ? "" : dialect.error().Text());
  LabelListener listener(&*dialect);
  Talk(&listener).Play(conversation, [] {});
  return listener.text;
}

constexpr char kTools[] = R"("labels": ["call:/params/name", "doc/*:/params/uri"],
  "failures": ["call:/result/isError", "/result/Err", {"at": "run:/result/state", "is": ["bad", 2]}])";

TEST(LabelsTest, AnAnswerHasThatOfItsRequest) {
  EXPECT_EQ(Labelled(kTools, R"(
    -> {"id":1,"method":"call","params":{"name":"a"}}
    -> {"id":2,"method":"call","params":{"name":"b\u0041"}}
    <- {"id":2,"result":{}}
    <- {"id":1,"error":{"code":1,"message":""}}
  )"),
            "1 a\n2 bA\n3 bA\n4 a\n");
}

TEST(LabelsTest, ByMethodAndOfBothParties) {
  EXPECT_EQ(Labelled(kTools, R"(
    -> {"id":1,"method":"doc/open","params":{"uri":"file:///x","name":"n"}}
    <- {"id":1,"method":"call","params":{"name":7}}
    -> {"id":1,"result":{}}
    <- {"id":1,"result":{}}
    -> {"method":"other","params":{"name":"n","uri":"u"}}
  )"),
            "1 file:///x\n2 7\n3 7\n4 file:///x\n5 \n");
}

TEST(LabelsTest, WhatIsNoLabel) {
  EXPECT_EQ(Labelled(kTools, R"(
    -> {"method":"call","params":{"name":{}}}
    -> {"method":"call","params":{"name":null}}
    -> {"method":"call"}
    -> ["no message"]
  )"),
            "1 \n2 \n3 \n4 \n");
}

TEST(LabelsTest, Failures) {
  EXPECT_EQ(Labelled(kTools, R"(
    -> {"id":1,"method":"call"}
    -> {"id":2,"method":"call"}
    -> {"id":3,"method":"run"}
    -> {"id":4,"method":"run"}
    -> {"id":5,"method":"run"}
    <- {"id":1,"result":{"isError":true}}
    <- {"id":2,"result":{"isError":false,"state":"bad"}}
    <- {"id":3,"result":{"state":"bad","isError":true}}
    <- {"id":4,"result":{"state":2}}
    <- {"id":5,"result":{"Err":"why","state":"good"}}
  )"),
            "1 \n2 \n3 \n4 \n5 \n6  failed\n7 \n8  failed\n9  failed\n10  failed\n");
}

TEST(LabelsTest, AnErrorIsNoFailureOfTheDialect) {
  EXPECT_EQ(Labelled(R"("failures": ["/error/code"])", R"(
    -> {"id":1,"method":"m"}
    <- {"id":1,"error":{"code":1,"message":"x"}}
  )"),
            "1 \n2 \n");
}

TEST(LabelsTest, LongLabelsAreCutAndManyOpenOnesForgotten) {
  std::string talk =
      "-> {\"method\":\"call\",\"params\":{\"name\":\"" + std::string(5000, 'x') + "\"}}\n";
  EXPECT_EQ(Labelled(kTools, talk).size(), kMaxLabel + 6);
  talk.clear();
  for (int i = 0; i < 5000; ++i) {
    talk += "-> {\"id\":" + std::to_string(i) + R"(,"method":"call","params":{"name":"n"}})" + "\n";
  }
  const std::string text =
      Labelled(kTools, talk + "<- {\"id\":4999,\"result\":1}\n<- {\"id\":7,\"result\":1}\n");
  EXPECT_NE(text.find("\n5001 \n5002 n\n"), std::string::npos);
}

}  // namespace
}  // namespace midwire::trace
