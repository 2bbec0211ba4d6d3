#include "fuzz/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

using testing::ElementsAre;
using trace::Stream;
using wire::Direction;

// Sessions of one trace, "t": what both parties sent, in order.
class MadeCorpus {
 public:
  explicit MadeCorpus(Direction role = Direction::kHostToPlugin) : corpus(role) {
    corpus.StartTrace("t");
  }
  MadeCorpus& Host(std::string_view bytes) { return Send(Stream::kHostToPlugin, bytes); }
  MadeCorpus& Plugin(std::string_view bytes) { return Send(Stream::kPluginToHost, bytes); }
  MadeCorpus& Session() {
    session_.OnSection();
    return *this;
  }
  // The paths of all files, one per line.
  std::string Paths() {
    session_.OnSection();
    std::string paths;
    for (const auto& [path, bytes] : corpus.files()) paths += path + "\n";
    return paths;
  }
  std::string File(const std::string& path) {
    session_.OnSection();
    return corpus.files().contains(path) ? corpus.files().at(path) : "none";
  }

  Corpus corpus;

 private:
  MadeCorpus& Send(Stream stream, std::string_view bytes) {
    session_.OnRecord({.stream = stream, .body = bytes});
    return *this;
  }
  trace::Session session_{&corpus, kMaxSeedSize};
};

constexpr char kAskLine[] = "{\"id\":1,\"method\":\"a/b\"}\n";
constexpr char kAnswerLine[] = "{\"id\":1,\"result\":7}\n";

TEST(CorpusTest, ASessionAndEachKindOnce) {
  MadeCorpus made;
  made.Host(kAskLine).Plugin(kAnswerLine).Host("{\"id\":2,\"method\":\"a/b\"}\n");
  made.Plugin("{\"id\":2,\"error\":{\"code\":-5,\"message\":\"\"}}\n")
      .Host("{\"method\":\"bye\"}\n");
  EXPECT_EQ(made.Paths(),
            "messages/host.a_b.request.json\nmessages/host.bye.notification.json\n"
            "messages/plugin.a_b.error-5.json\nmessages/plugin.a_b.result.json\n"
            "seeds/a_b.request.wire\nseeds/bye.notification.wire\nseeds/t.wire\n");
  EXPECT_EQ(made.File("messages/plugin.a_b.result.json"), "{\"id\":1,\"result\":7}");
  EXPECT_EQ(made.File("seeds/a_b.request.wire"), kAskLine);
  EXPECT_EQ(made.File("seeds/t.wire"),
            std::string(kAskLine) + "{\"id\":2,\"method\":\"a/b\"}\n{\"method\":\"bye\"}\n");
}

TEST(CorpusTest, SeedsOfThePluginsRole) {
  MadeCorpus made(Direction::kPluginToHost);
  made.Host(kAskLine).Plugin(kAnswerLine);
  EXPECT_EQ(made.File("seeds/t.wire"), kAnswerLine);
  EXPECT_EQ(made.File("seeds/a_b.request.wire"), "none");
  EXPECT_EQ(made.File("messages/host.a_b.request.json"), "{\"id\":1,\"method\":\"a/b\"}");
}

TEST(CorpusTest, JunkAndHeadersAreInTheSeedAsTheyCame) {
  MadeCorpus made;
  const std::string sent = "hello\nContent-Length: 14\r\nX: y\r\n\r\n{\"method\":\"a\"}";
  EXPECT_EQ(made.Host(sent).File("seeds/t.wire"), sent);
}

TEST(CorpusTest, EachDistinctSessionHasASeed) {
  MadeCorpus made;
  made.Host(kAskLine)
      .Session()
      .Host(kAskLine)
      .Session()
      .Host(kAnswerLine)
      .Session()
      .Plugin(kAnswerLine);
  EXPECT_EQ(made.File("seeds/t.wire"), kAskLine);
  EXPECT_EQ(made.File("seeds/t-2.wire"), kAnswerLine);
  EXPECT_EQ(made.File("seeds/t-3.wire"), "none");
}

TEST(CorpusTest, HostileMethodsMakePlainNames) {
  MadeCorpus made;
  made.Host("{\"method\":\"../../etc/x\\u0000\\n\"}\n{\"method\":\".._../etc/x__\"}\n")
      .Host("{\"method\":\"" + std::string(3000, 'm') + "\"}\n{\"method\":\"\"}\n");
  const std::string cut(120, 'm');
  EXPECT_EQ(made.Paths(),
            "messages/host.______etc_x__.notification-2.json\n"
            "messages/host.______etc_x__.notification.json\n"
            "messages/host." +
                cut +
                ".notification.json\n"
                "messages/host.nothing.notification.json\n"
                "seeds/______etc_x__.notification-2.wire\n"
                "seeds/______etc_x__.notification.wire\n"
                "seeds/" +
                cut +
                ".notification.wire\n"
                "seeds/nothing.notification.wire\n"
                "seeds/t.wire\n");
}

TEST(CorpusTest, ASessionThatIsTooLongIsCutBetweenMessages) {
  MadeCorpus made;
  const std::string line =
      "{\"method\":\"m\",\"x\":\"" + std::string(kMaxSeedSize / 3, 'x') + "\"}\n";
  for (int i = 0; i < 4; ++i) made.Host(line);
  EXPECT_EQ(made.File("seeds/t.wire"), line + line);
  EXPECT_EQ(made.corpus.cut_sessions(), 1u);
}

TEST(CorpusTest, AFrameAboveTheLimitIsNoSeed) {
  MadeCorpus made;
  made.Host("{\"method\":\"m\",\"x\":\"" + std::string(kMaxSeedSize, 'x') + "\"}\n");
  EXPECT_EQ(made.Paths(), "");
  EXPECT_EQ(made.corpus.cut_sessions(), 1u);
}

TEST(CorpusTest, FilesBeyondTheLimitAreLeftOutAndCounted) {
  MadeCorpus made;
  for (size_t i = 0; i <= kMaxCorpusFiles; ++i) {
    made.Host("{\"method\":\"m" + std::to_string(i) + "\"}\n");
  }
  EXPECT_NE(made.File("seeds/t.wire"), "none") << "messages do not use up the limit of seeds";
  EXPECT_EQ(made.corpus.files().size(), 2 * kMaxCorpusFiles);
  EXPECT_EQ(made.corpus.left_out(), 1u);
  EXPECT_TRUE(made.corpus.kinds_left_out());
}

TEST(CorpusTest, TheVocabularyHasMessagesOfBothParties) {
  MadeCorpus made;
  made.Host(kAskLine).Plugin(kAnswerLine).Session();
  EXPECT_THAT(made.corpus.words()->methods(), ElementsAre(R"("a/b")"));
  EXPECT_THAT(made.corpus.words()->numbers(), ElementsAre("7"));
}

}  // namespace
}  // namespace midwire::fuzz
