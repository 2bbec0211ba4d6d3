// Result<T>: a value, or an Error that says what, where and what to do. For failures of the
// environment (files, processes); a peer's misbehaviour is data (Junk, oddities), never an Error.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace midwire {

struct Error {
  std::string what;    // "cannot open the trace"
  std::string where;   // path, option or offset; may be empty
  std::string remedy;  // what the user can do; may be empty

  // One line: "what: where (remedy)".
  std::string Text() const {
    std::string text = what;
    if (!where.empty()) text += ": " + where;
    if (!remedy.empty()) text += " (" + remedy + ")";
    return text;
  }
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct Ok {};
using Status = Result<Ok>;

}  // namespace midwire
