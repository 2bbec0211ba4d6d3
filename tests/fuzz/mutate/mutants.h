// The test language of mutators: natural seed sessions of both roles, one mutator by its name, and
// what a mutant looks like to a reader.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "wire/decoder.h"

namespace midwire::fuzz {

using wire::Framing;

inline std::string Session(Framing framing, const std::vector<std::string_view>& bodies) {
  std::string bytes;
  for (const std::string_view body : bodies) bytes += Framed(body, framing).bytes;
  return bytes;
}

// What a host says to a language server, with handles that it makes and destroys.
inline const std::vector<std::string_view> kHostBodies = {
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":42,"rootUri":null,"capabilities":{"a":true}}})",
    R"({"jsonrpc":"2.0","method":"initialized","params":{}})",
    R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a","version":1,"text":"int a;"}}})",
    R"({"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"position":{"line":0,"character":4},"kinds":["a","b"]}})",
    R"({"jsonrpc":"2.0","id":"s","method":"object/use","params":{"handle":"h-17","args":[1,2.5]}})",
    R"({"jsonrpc":"2.0","id":4,"method":"object/destroy","params":{"handle":"h-17"}})",
    R"({"jsonrpc":"2.0","id":5,"method":"shutdown"})",
    R"({"jsonrpc":"2.0","method":"exit"})",
};
// What the plugin says in it.
inline const std::vector<std::string_view> kPluginBodies = {
    R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{"hover":true,"sync":2}}})",
    R"({"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":"up"}})",
    R"({"jsonrpc":"2.0","id":90,"method":"workspace/configuration","params":{"items":[{"section":"x"}]}})",
    R"({"jsonrpc":"2.0","id":2,"result":{"contents":["int a",{"language":"c","value":"a"}]}})",
    R"({"jsonrpc":"2.0","id":"s","error":{"code":-32602,"message":"no such object"}})",
    R"({"jsonrpc":"2.0","id":5,"result":null})",
};
inline const std::vector<std::string_view> kDapBodies = {
    R"({"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x","linesStartAt1":true}})",
    R"({"seq":2,"type":"request","command":"launch","arguments":{"program":"/a","args":["b",1]}})",
    R"({"seq":3,"type":"response","request_seq":7,"success":true,"command":"runInTerminal","body":{"processId":5}})",
    R"({"seq":4,"type":"event","event":"stopped","body":{"reason":"step","threadId":1}})",
    R"({"seq":5,"type":"request","command":"disconnect"})",
};

inline std::vector<std::string> SeedSessions() {
  std::vector<std::string> all;
  for (const Framing framing : {Framing::kLine, Framing::kContentLength}) {
    for (const auto* bodies : {&kHostBodies, &kPluginBodies, &kDapBodies}) {
      all.push_back(Session(framing, *bodies));
    }
  }
  return all;
}

// What a reader finds in bytes.
struct Read : wire::FrameHandler {
  struct Frame {
    std::string head, body;
    wire::Message message;
    wire::Oddities oddities;
  };
  std::vector<Frame> frames;
  std::vector<std::string> junk;
  size_t frames_after_junk = 0;  // since the last

  explicit Read(std::string_view bytes, Framing framing = Framing::kAuto) {
    wire::Decoder decoder(framing);
    decoder.Feed(bytes, this);
    decoder.Finish(this);
  }
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    frames.push_back(
        {std::string(frame.head()), std::string(frame.body()), message, frame.oddities});
    ++frames_after_junk;
  }
  void OnJunk(const wire::Junk& bytes) override {
    junk.emplace_back(bytes.bytes);
    frames_after_junk = 0;
  }
};

inline Vocabulary WordsOf(const std::vector<std::string_view>& bodies, wire::Direction direction) {
  Vocabulary words;
  for (const std::string_view body : bodies) {
    for (const auto& frame : Read(Session(Framing::kLine, {body})).frames) {
      words.AddMessage(direction, frame.message, body);
    }
  }
  return words;
}
// The words of both directions.
inline Vocabulary SessionWords() {
  Vocabulary words = WordsOf(kHostBodies, wire::Direction::kHostToPlugin);
  for (const std::string_view body : kPluginBodies) {
    for (const auto& frame : Read(Session(Framing::kLine, {body})).frames) {
      words.AddMessage(wire::Direction::kPluginToHost, frame.message, body);
    }
  }
  return words;
}

inline const MutatorSpec* Named(std::string_view name) {
  for (const MutatorSpec& spec : Mutators()) {
    if (spec.name == name) return &spec;
  }
  ADD_FAILURE() << "no mutator " << name;
  return nullptr;
}

// Comparisons that a peer may report for the seed sessions: numbers and letters that they contain.
inline const std::vector<Compare> kSeedCompares = {
    {.place = 1, .width = 4, .seen = 1, .wanted = 77},
    {.place = 2, .width = 1, .seen = 'a', .wanted = 'z'},
    {.place = 3, .width = 0, .seen_text = "method", .wanted_text = "mode"}};

// One mutator on one part of a session; false: not applicable.
inline bool Apply(const MutatorSpec& spec, Input* input, size_t part, uint64_t seed,
                  const Vocabulary& words, size_t max_size = 64 * 1024) {
  Random random(seed);
  Mutation mutation{input, part, &random, &words, max_size, nullptr, kSeedCompares};
  return spec.apply(&mutation);
}

// All that a mutator makes of one body, by several seeds; without those where it did nothing.
inline std::vector<std::string> Made(std::string_view mutator, std::string_view body,
                                     Framing framing = Framing::kLine, int seeds = 200) {
  std::vector<std::string> made;
  const Vocabulary none;
  for (int seed = 0; seed < seeds; ++seed) {
    Input input;
    input.parts.push_back(Framed(body, framing));
    if (!Apply(*Named(mutator), &input, 0, seed, none)) continue;
    made.push_back(framing == Framing::kLine ? std::string(input.parts[0].body()) : input.Bytes());
  }
  return made;
}

// Bytes as text on one line.
inline std::string Shown(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    constexpr char kHex[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\r') {
      text += "\\r";
    } else if (c == '\\') {
      text += "\\\\";
    } else if (byte < 0x20 || byte >= 0x7f) {
      text += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace midwire::fuzz
