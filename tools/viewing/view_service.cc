#include "tools/viewing/view_service.h"

#include <algorithm>
#include <utility>

#include "io/clock.h"
#include "tools/viewing/access.h"
#include "tools/viewing/event_stream.h"
#include "view/page/page.h"
#include "wire/json/decimal.h"

namespace midwire::tools {
namespace {

using io::HttpAnswer;
using io::HttpRequest;
using What = Route::What;

// For one slice of reading, after which others get their turn.
constexpr int64_t kSliceNs = 30'000'000;
// --once: for the first page, and for a page that is loaded again.
constexpr int64_t kFirstPageNs = 300'000'000'000, kReloadNs = 5'000'000'000;

// Leads on to the page by a request that is the page's own: with SameSite=Strict, one that another
// page or file began gets no cookie.
constexpr std::string_view kEnter =
    "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\">"
    "<meta http-equiv=\"refresh\" content=\"0;url=./\"><title>midwire</title>"
    "<a href=\"./\">to the sessions</a></html>\n";

struct Header {
  const char *name, *value;
};
constexpr Header kAlways[] = {{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Cross-Origin-Opener-Policy", "same-origin"},
                              {"Content-Security-Policy", "frame-ancestors 'none'"}};

HttpAnswer Refusal(int status, std::string text) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::move(text);
  return answer;
}

HttpAnswer Gone() { return Refusal(404, "there is no such trace any more\n"); }

HttpAnswer Later() {
  HttpAnswer answer;
  answer.later = true;
  return answer;
}

HttpAnswer Page(std::string html) {
  HttpAnswer answer;
  answer.type = "text/html; charset=utf-8";
  answer.body = std::move(html);
  return answer;
}

HttpAnswer Json(std::string json) {
  HttpAnswer answer;
  answer.type = "application/json";
  answer.body = std::move(json);
  return answer;
}

}  // namespace

ViewService::ViewService(ViewAccess access, TraceFiles files, bool once)
    : access_(std::move(access)),
      page_(view::LivePage()),
      list_(std::move(files), once),
      once_(once),
      empty_at_(io::MonotonicNow() + kFirstPageNs) {
  list_.Read(io::MonotonicNow() + kSliceNs);
}

HttpAnswer ViewService::OnRequest(const HttpRequest& request) {
  HttpAnswer answer = [&] {
    if (!IsOwnHost(request.host, access_.port, access_.any_address)) {
      return Refusal(403, "this server has another address\n");
    }
    if (!IsOwnOrigin(request.origin, request.host)) {
      return Refusal(403, "another page may not ask\n");
    }
    const Route route = ParseRoute(request.target, access_.folder);
    const bool enters = route.what == What::kEnter;
    const std::string cookie = "midwire-" + std::to_string(access_.port);
    const std::string_view key = enters ? route.key : CookieOf(request.cookie, cookie);
    if (!IsSameKey(key, access_.key)) {
      return Refusal(403,
                     "the key is missing or wrong: use the address that midwire view opened "
                     "or printed\n");
    }
    const bool page = enters || route.what == What::kPage;
    if (!page && !IsOwnSite(request.fetch_site)) return Refusal(403, "another page may not ask\n");
    HttpAnswer found = Answer(route, request);
    found.admitted = true;
    if (enters) {
      found.headers.emplace_back("Set-Cookie", cookie + "=" + access_.key + "; HttpOnly; " +
                                                   "SameSite=Strict; Path=" + access_.folder);
    }
    return found;
  }();
  for (const Header& header : kAlways) answer.headers.emplace_back(header.name, header.value);
  return answer;
}

HttpAnswer ViewService::Answer(const Route& route, const HttpRequest& request) {
  switch (route.what) {
    case What::kEnter:
      return Page(std::string(kEnter));
    case What::kPage:
      return Page(page_);
    case What::kSessions:
      list_.Read(io::MonotonicNow() + kSliceNs);
      return Json(list_.json());
    case What::kIndex:
      return Index(route);
    case What::kBytes:
      return Bytes(route);
    case What::kStream:
      return Stream(route, request);
    case What::kWrong:
      return Refusal(400, "a parameter is missing or wrong\n");
    case What::kUnknown:
      break;
  }
  return Refusal(404, "there is nothing at this address\n");
}

std::shared_ptr<OpenedTrace> ViewService::Open(std::string_view id) {
  const TraceFile* const file = list_.files()->Find(id);
  const auto found = std::find_if(opened_.begin(), opened_.end(),
                                  [&](const auto& trace) { return trace->file().id == id; });
  if (found != opened_.end()) {
    const std::shared_ptr<OpenedTrace> trace = *found;
    opened_.erase(found);
    // What was removed can still be shown.
    if (!trace->stale() && (file == nullptr || file->IsSameAs(trace->file()))) {
      opened_.push_back(trace);
      return trace;
    }
  }
  if (file == nullptr) return nullptr;
  OpenFile opened = list_.files()->Open(*file);
  if (!opened.ok()) return nullptr;
  opened_.push_back(std::make_shared<OpenedTrace>(*file, std::move(opened)));
  const std::shared_ptr<OpenedTrace> trace = opened_.back();
  // Those that a page follows are in its stream too.
  for (auto at = opened_.begin(); opened_.size() > kMaxOpened && at != opened_.end();) {
    at = at->use_count() == 1 ? opened_.erase(at) : at + 1;
  }
  return trace;
}

HttpAnswer ViewService::Index(const Route& route) {
  const std::shared_ptr<OpenedTrace> trace = Open(route.trace);
  if (trace == nullptr) return Gone();
  if (!trace->Read(io::MonotonicNow() + kSliceNs)) return Later();
  return Json(trace->Piece(route.from, route.count));
}

HttpAnswer ViewService::Bytes(const Route& route) {
  const std::shared_ptr<OpenedTrace> trace = Open(route.trace);
  if (trace == nullptr) return Gone();
  // It may have been closed meanwhile, and is read again.
  if (trace->rows() < static_cast<size_t>(route.row + route.rows) &&
      !trace->Read(io::MonotonicNow() + kSliceNs)) {
    return Later();
  }
  OpenedTrace::Bytes bytes = trace->BytesOf(route.row, route.rows);
  HttpAnswer answer = Refusal(bytes.status, std::move(bytes.bytes));
  if (bytes.status == 200) answer.type = "application/octet-stream";
  return answer;
}

HttpAnswer ViewService::Stream(const Route& route, const HttpRequest& request) {
  std::shared_ptr<OpenedTrace> trace;
  if (!route.trace.empty()) {
    trace = Open(route.trace);
    if (trace == nullptr) return Gone();
    if (!trace->Read(io::MonotonicNow() + kSliceNs)) return Later();
  }
  auto row = static_cast<size_t>(route.row);
  if (size_t next = 0; wire::ParseNumber(request.last_event_id, &next)) row = next;
  empty_at_ = io::MonotonicNow() + kReloadNs;  // it may have ended before the next tick
  HttpAnswer answer;
  answer.type = "text/event-stream";
  answer.stream = std::make_unique<EventStream>(&list_, std::move(trace), row,
                                                static_cast<size_t>(route.base), &pages_);
  return answer;
}

bool ViewService::OnTick() {
  const int64_t now = io::MonotonicNow();
  if (pages_ == 0) return !once_ || now < empty_at_;
  empty_at_ = now + kReloadNs;
  list_.Read(now + kSliceNs);
  for (const std::shared_ptr<OpenedTrace>& trace : opened_) {
    if (trace.use_count() == 1) continue;
    const TraceFile* const file = list_.files()->Find(trace->file().id);
    if (file != nullptr && !file->IsSameAs(trace->file())) trace->SetReplaced();
    trace->Read(io::MonotonicNow() + kSliceNs);
  }
  return true;
}

}  // namespace midwire::tools
