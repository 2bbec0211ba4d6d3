// Adapts the user's decoder or dispatcher, with any of several signatures, to the interfaces of
// try.h. Used by the macros of harness.h. Another signature is a compile error.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "fuzz/harness/try.h"

namespace midwire::fuzz {

template <class>
inline constexpr bool kNever = false;

template <class Decoder>
class AdaptedDecoder final : public DecoderUnderTest {
 public:
  AdaptedDecoder() = default;
  explicit AdaptedDecoder(auto make) : decoder_(make()) {}

  void Feed(std::string_view bytes, const Emit& emit) override {
    if constexpr (requires { decoder_.feed(bytes, emit); }) {
      decoder_.feed(bytes, emit);
    } else if constexpr (requires { decoder_.Feed(bytes, emit); }) {
      decoder_.Feed(bytes, emit);
    } else if constexpr (requires { decoder_.feed(bytes.data(), bytes.size(), emit); }) {
      decoder_.feed(bytes.data(), bytes.size(), emit);
    } else if constexpr (requires { decoder_.feed(std::string(bytes), emit); }) {
      decoder_.feed(std::string(bytes), emit);
    } else {
      static_assert(kNever<Decoder>,
                    "a decoder has feed(std::string_view bytes, const Emit& emit)");
    }
  }
  void Finish(const Emit& emit) override {
    if constexpr (requires { decoder_.finish(emit); }) {
      decoder_.finish(emit);
    } else if constexpr (requires { decoder_.Finish(emit); }) {
      decoder_.Finish(emit);
    }
  }

 private:
  Decoder decoder_;
};

template <class Decoder>
std::unique_ptr<DecoderUnderTest> MakeDecoder() {
  static_assert(std::is_default_constructible_v<Decoder>,
                "each input gets a new decoder: it needs a constructor without arguments, or pass "
                "a function that returns one");
  return std::make_unique<AdaptedDecoder<Decoder>>();
}
template <auto make>
std::unique_ptr<DecoderUnderTest> MakeDecoder() {
  return std::make_unique<AdaptedDecoder<decltype(make())>>(make);
}

// Calls `call(body, emit)`, or `call(body)` that returns one body ("": nothing) or several.
template <class Call>
bool CallDispatcher(Call&& call, std::string_view body, const Emit& emit) {
  const auto say = [&emit](const auto& answer) {
    if constexpr (std::convertible_to<decltype(answer), std::string_view>) {
      if (!std::string_view(answer).empty()) emit(answer);
    } else if constexpr (requires { answer.has_value(); }) {
      if (answer.has_value()) emit(*answer);
    } else {
      for (const auto& one : answer) emit(one);
    }
  };
  if constexpr (requires { call(body, emit); }) {
    call(body, emit);
  } else if constexpr (requires { call(std::string(body), emit); }) {
    call(std::string(body), emit);
  } else if constexpr (requires { say(call(body)); }) {
    say(call(body));
  } else if constexpr (requires { say(call(std::string(body))); }) {
    say(call(std::string(body)));
  } else {
    static_assert(kNever<Call>,
                  "a dispatcher is called as f(body, emit) or x.dispatch(body, emit), or returns "
                  "its answers: "
                  "a string, an optional, a container");
  }
  return true;
}

template <class Dispatcher>
class AdaptedDispatcher final : public DispatcherUnderTest {
 public:
  AdaptedDispatcher() = default;
  explicit AdaptedDispatcher(auto make) : dispatcher_(make()) {}

  void Dispatch(std::string_view body, const Emit& emit) override {
    if constexpr (kNamed<const Emit&>) {
      dispatcher_.dispatch(body, emit);
    } else if constexpr (requires { dispatcher_.Dispatch(body, emit); }) {
      dispatcher_.Dispatch(body, emit);
    } else if constexpr (requires { dispatcher_.dispatch(std::string(body), emit); }) {
      dispatcher_.dispatch(std::string(body), emit);
    } else {
      CallDispatcher(dispatcher_, body, emit);
    }
  }
  void Settle(const Emit& emit) override {
    if constexpr (requires { dispatcher_.settle(emit); }) {
      dispatcher_.settle(emit);
    } else if constexpr (requires { dispatcher_.Settle(emit); }) {
      dispatcher_.Settle(emit);
    }
  }

 private:
  template <class E>
  static constexpr bool kNamed = requires(Dispatcher d, E e) {
    d.dispatch(std::string_view(), e);
  };
  Dispatcher dispatcher_;
};

template <class Function>
class AdaptedFunction final : public DispatcherUnderTest {
 public:
  explicit AdaptedFunction(Function function) : function_(function) {}
  void Dispatch(std::string_view body, const Emit& emit) override {
    CallDispatcher(function_, body, emit);
  }
  void Settle(const Emit&) override {}

 private:
  Function function_;
};

template <class Dispatcher>
std::unique_ptr<DispatcherUnderTest> MakeDispatcher() {
  static_assert(std::is_default_constructible_v<Dispatcher>,
                "each input gets a new dispatcher: it needs a constructor without arguments, or "
                "pass a function that returns one");
  return std::make_unique<AdaptedDispatcher<Dispatcher>>();
}
template <auto function>
std::unique_ptr<DispatcherUnderTest> MakeDispatcher() {
  if constexpr (requires { function(); }) {
    return std::make_unique<AdaptedDispatcher<decltype(function())>>(function);
  } else {
    return std::make_unique<AdaptedFunction<decltype(function)>>(function);
  }
}

}  // namespace midwire::fuzz
