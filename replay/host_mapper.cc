#include "replay/host_mapper.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>

#include "replay/paths/json_edits.h"
#include "replay/play/rewrite.h"
#include "wire/counted.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// The pairs of known_.
enum Directory : size_t { kCwdToday, kHomeToday, kCwdRecorded, kHomeRecorded, kDirectories };

bool IsInteger(std::string_view value) {
  return wire::TypeOf(value) == wire::JsonType::kNumber && value.find_first_of(".eE") == value.npos;
}

// Whether a member's name says that its value is the id of a process.
bool NamesPid(const wire::Path& path) {
  if (path.empty() || path.back().name.empty()) return false;
  const std::string name = wire::ToLower(wire::StringValue(path.back().name));
  return name.ends_with("pid") || name.ends_with("processid") || name.ends_with("process_id");
}

TextEdit EditOf(std::string_view body, std::string_view value, std::string with) {
  const size_t begin = static_cast<size_t>(value.data() - body.data());
  return {begin, begin + value.size(), std::move(with)};
}

void NamePid(const std::string& pid, std::string* text) {
  constexpr std::string_view kName = "<pid>";
  for (size_t at = text->find(pid); at != text->npos; at = text->find(pid, at + 1)) {
    const size_t end = at + pid.size();
    if ((at > 0 && wire::IsDigit((*text)[at - 1])) ||
        (end < text->size() && wire::IsDigit((*text)[end]))) {
      continue;
    }
    text->replace(at, pid.size(), kName);
  }
}

}  // namespace

std::string HomeOf(const trace::SpawnEvent& spawn) {
  if (!spawn.home.empty()) return spawn.home;
  const std::string_view cwd = spawn.cwd;
  for (const std::string_view homes : {"/home/", "/Users/"}) {
    if (cwd.starts_with(homes) && cwd.size() > homes.size()) {
      return std::string(cwd.substr(0, cwd.find('/', homes.size())));
    }
  }
  return cwd == "/root" || cwd.starts_with("/root/") ? "/root" : "";
}

void HostMapper::OnSpawn(const trace::SpawnEvent& spawn) {
  if (prepared_ || declared_->portable) return;
  recorded_.cwd = spawn.cwd;
  recorded_.home = HomeOf(spawn);
}

void HostMapper::Prepare() {
  if (std::exchange(prepared_, true)) return;
  PathPairs pairs = declared_->maps;
  const HostIdentity& host = declared_->host;
  if (declared_->portable) {
    placeholders_.emplace(Directories{.cwd = host.cwd, .home = host.home});
  } else {
    if (!host.cwd.empty()) pairs.push_back({recorded_.cwd, host.cwd});
    if (!host.home.empty()) pairs.push_back({recorded_.home, host.home});
    // In the order of Directory.
    known_ = PathMap({{host.cwd, host.cwd},
                      {host.home, host.home},
                      {recorded_.cwd, host.cwd},
                      {recorded_.home, host.home}},
                     /*verbatim=*/false);
  }
  used_.resize(pairs.size());
  map_ = PathMap(std::move(pairs));
  back_ = map_.Reversed();
  declared_->same_paths = map_;
}

bool HostMapper::MayEdit(std::string_view bytes) const {
  return (placeholders_ && Placeholders::MayExpand(bytes)) ||
         ((map_.any() || !declared_->maps.empty()) && map_.MayFind(bytes));
}

void HostMapper::Edit(std::string_view text, TextEdits* edits) {
  const size_t before = edits->size();
  if (!placeholders_) {
    map_.Find(text, edits, &used_);
  } else {
    TextEdits expanded;
    std::string_view missing;
    placeholders_->Expand(text, &expanded, &missing);
    if (!missing.empty() && !failure_) {
      failure_ =
          Error{"the cassette is portable, but a directory is not known here", std::string(missing),
                missing == kHomePlaceholder ? "set HOME" : "change to a directory"};
    }
    if (declared_->maps.empty()) {
      std::move(expanded.begin(), expanded.end(), std::back_inserter(*edits));
    } else {
      const std::string plain = Edited(text, expanded);
      TextEdits mapped;
      map_.Find(plain, &mapped, &used_);
      if (!expanded.empty() || !mapped.empty()) {
        edits->push_back({0, text.size(), Edited(plain, mapped)});
      }
    }
  }
  if (edits->size() > before) ++replaced_;
}

void HostMapper::EditBack(std::string_view text, TextEdits* edits) const {
  if (!placeholders_) return back_.Find(text, edits);
  const std::string plain = back_.Map(text);
  TextEdits collapsed;
  placeholders_->Collapse(plain, &collapsed);
  if (!collapsed.empty() || plain != text) {
    edits->push_back({0, text.size(), Edited(plain, collapsed)});
  }
}

bool HostMapper::MayHavePid(std::string_view body, std::string_view method) const {
  if (declared_->host.pid == 0) return false;
  if (recorded_.pid != 0 && body.find(std::to_string(recorded_.pid)) != body.npos) return true;
  const std::vector<Place>& places = declared_->host_pids;
  return std::any_of(places.begin(), places.end(),
                     [&](const Place& place) { return place.OfMethod(method); });
}

void HostMapper::EditPids(std::string_view body, std::string_view method, TextEdits* edits) {
  const std::string pid = std::to_string(declared_->host.pid);
  std::set<const char*> placed;
  const auto replace = [&](std::string_view value) {
    if (placed.insert(value.data()).second) edits->push_back(EditOf(body, value, pid));
  };
  for (const Place& place : declared_->host_pids) {
    if (!place.OfMethod(method)) continue;
    const auto value = wire::ValueAt(body, place.pointer);
    if (!value || !IsInteger(*value)) continue;
    if (recorded_.pid == 0) recorded_.pid = std::atoll(std::string(*value).c_str());
    replace(*value);
  }
  const std::string recorded = std::to_string(recorded_.pid);
  if (recorded_.pid == 0 || body.find(recorded) == body.npos) return;
  wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
    if (value == recorded && NamesPid(path)) replace(value);
  });
}

MappedFrame HostMapper::MapFrame(std::string_view frame, size_t head, size_t tail,
                                 std::string_view method) {
  Prepare();
  const MappedFrame same = {frame, head};
  if (head + tail > frame.size()) return same;
  const std::string_view around = frame.substr(head, frame.size() - head - tail);
  const bool texts = MayEdit(around);
  if (!texts && !MayHavePid(around, method)) return same;  // most frames
  const std::string_view body = wire::Trimmed(around);
  if (body.empty() || !wire::IsLooseJson(body)) return same;
  TextEdits edits;
  if (texts) {
    EditStrings(
        body, [this](std::string_view text, TextEdits* to) { Edit(text, to); }, &edits);
  }
  int64_t growth = 0;
  if (declared_->host.pid != 0) EditPids(body, method, &edits);
  if (edits.empty()) return same;
  for (const TextEdit& edit : edits) {
    growth += static_cast<int64_t>(edit.with.size()) - static_cast<int64_t>(edit.end - edit.begin);
  }
  mapped_.clear();
  RewriteBody(frame, head, body, edits, &mapped_);
  const int64_t rest = static_cast<int64_t>(frame.size() - head) + growth;
  return {mapped_, mapped_.size() - static_cast<size_t>(rest)};
}

std::string_view HostMapper::MapText(std::string_view text) {
  Prepare();
  if (!MayEdit(text)) return text;
  TextEdits edits;
  Edit(text, &edits);
  mapped_ = Edited(text, edits);
  return mapped_;
}

std::string HostMapper::Restore(std::string_view frame, size_t head) {
  const std::string_view body = wire::Trimmed(frame.substr(head));
  if (body.empty() || !wire::IsLooseJson(body)) return std::string(frame);
  TextEdits edits;
  EditStrings(
      body, [this](std::string_view text, TextEdits* to) { EditBack(text, to); }, &edits);
  const std::string pid = std::to_string(declared_->host.pid);
  if (recorded_.pid != 0 && body.find(pid) != body.npos) {
    wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
      if (value == pid && NamesPid(path)) {
        edits.push_back(EditOf(body, value, std::to_string(recorded_.pid)));
      }
    });
  }
  std::string restored;
  RewriteBody(frame, head, body, edits, &restored);
  return restored;
}

void HostMapper::Watch(std::string_view message) {
  if (!known_.any() || (cwd_is_recorded_ && home_is_recorded_) || !known_.MayFind(message) ||
      !wire::IsLooseJson(message)) {
    return;
  }
  std::vector<bool> found(kDirectories);
  TextEdits ignored;
  EditStrings(
      message, [&](std::string_view text, TextEdits* to) { known_.Find(text, to, &found); },
      &ignored);
  const auto judge = [](bool today, bool recorded, std::optional<bool>* is_recorded) {
    if (!*is_recorded && (today || recorded)) *is_recorded = !today;
  };
  judge(found[kCwdToday], found[kCwdRecorded], &cwd_is_recorded_);
  judge(found[kHomeToday], found[kHomeRecorded], &home_is_recorded_);
  PathPairs pairs;
  if (cwd_is_recorded_.value_or(false)) {
    pairs.push_back({declared_->host.cwd, recorded_.cwd});
  }
  // What is known of one directory holds for the other until that is known too.
  if (home_is_recorded_.value_or(cwd_is_recorded_.value_or(false))) {
    pairs.push_back({declared_->host.home, recorded_.home});
  }
  for_host_ = PathMap(std::move(pairs));
}

std::string_view HostMapper::ForHost(std::string_view frame) {
  if (!for_host_ || !for_host_->any() || !for_host_->MayFind(frame)) return frame;
  const size_t head = std::min(frame.find_first_of("{["), frame.size());
  const std::string_view body = wire::Trimmed(frame.substr(head));
  if (body.empty() || !wire::IsLooseJson(body)) return frame;
  TextEdits edits;
  EditStrings(
      body, [this](std::string_view text, TextEdits* to) { for_host_->Find(text, to); }, &edits);
  mapped_.clear();
  RewriteBody(frame, head, body, edits, &mapped_);
  return mapped_;
}

std::vector<std::string> HostMapper::UnusedMaps() const {
  std::vector<std::string> unused;
  for (size_t i = 0; i < declared_->maps.size(); ++i) {
    if (i >= used_.size() || !used_[i]) unused.push_back(declared_->maps[i].from);
  }
  return unused;
}

void HostMapper::Report(trace::ReplayReport* report) const {
  if (replaced_ > 0 && map_.any() && !placeholders_) {
    report->notes.push_back("recorded paths were replaced in " +
                            wire::Counted(replaced_, "string"));
  }
  if (recorded_.pid == 0) return;
  const std::string pid = std::to_string(declared_->host.pid);
  for (trace::Difference& item : report->differences) {
    NamePid(pid, &item.expected);
    NamePid(pid, &item.got);
  }
}

}  // namespace midwire::replay
