// A small plugin as a class: bytes in, bytes out. With Bug::kNone it is correct and robust; with
// others it has these bugs. main.cc runs it as a process, target.cc under a fuzzing
// engine.
//
// It implements initialize, initialized, shutdown, exit; echo, add, open / read / close (a handle),
// later (answered when nothing else is pending; can be cancelled), confirm (sends a request to the
// host), log/setLevel, step and paint (which must be sent in the right order).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bugs.h"
#include "json.h"

namespace zoo {

using Sink = std::function<void(std::string_view bytes)>;

class Peer {
 public:
  Peer(Bugs bugs, bool lines, Sink write) : bugs_(bugs), lines_(lines), write_(std::move(write)) {}
  bool has(Bug bug) const { return bugs_[static_cast<size_t>(bug)]; }

  void Feed(std::string_view bytes);
  void Idle();  // nothing has arrived for a moment
  bool busy() const { return !later_.empty(); }
  bool ended() const { return ended_; }
  int code() const { return shut_ ? 0 : 1; }

 private:
  struct Buffer {
    explicit Buffer(std::string name) : text(new std::string("text of " + name)) {}
    ~Buffer() {
      delete text;
      text = nullptr;
    }
    std::string* volatile text;  // so that it is seen to be gone
  };

  bool TakeLine();
  bool TakeFrame();
  void Body(std::string_view body);
  std::string One(const Json& message);  // an answer, or ""
  std::string Call(const std::string& method, const Json* params, const std::string& id);
  std::string Cancel(const Json* params, const std::string& own);
  std::string Read(const Json* params, const std::string& id);
  std::string Close(const Json* params, const std::string& id);
  std::string Climb(const Json* params, const std::string& id);
  std::string Paint(const Json* params, const std::string& id);
  std::string Error(int code, std::string_view text, const std::string& id) const;
  std::string Result(std::string_view result, const std::string& id) const;
  void Say(std::string_view body);

  const Bugs bugs_;
  const bool lines_;
  const Sink write_;
  std::string in_;
  bool skipping_ = false, lost_ = false;
  bool initialized_ = false, shut_ = false, ended_ = false, debug_ = false;
  std::map<std::string, Buffer*> open_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<std::pair<std::string, std::string>> later_;  // ids, texts
  std::map<std::string, std::string> asked_;  // our requests' ids: whose answer waits for them
  size_t handles_ = 0, asks_ = 0, step_ = 0, painted_ = 0;
};

}  // namespace zoo
