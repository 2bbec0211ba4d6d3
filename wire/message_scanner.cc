#include "wire/message_scanner.h"

#include <algorithm>

#include "wire/json/chars.h"
#include "wire/json/scan.h"
#include "wire/json/skip_nested.h"
#include "wire/json/unescape.h"
#include "wire/message_shapes.h"

namespace midwire::wire {

inline void MessageScanner::Note(Field field) {
  if (field == Field::kNone) return;
  const uint16_t bit = Members::BitOf(field);
  if (members_.seen & bit) members_.flags |= kDuplicateMember;
  members_.seen |= bit;
  members_.not_string &= static_cast<uint16_t>(~bit);
  if (members_.kept & bit) members_.token[static_cast<int>(field)].clear();
  members_.kept &= static_cast<uint16_t>(~bit);
  members_.whole[static_cast<int>(field)] = {};
  if (field == Field::kError) members_.error_is_null = false;
}

inline void MessageScanner::Keep(std::string* token, const char* from, const char* to) {
  const size_t size = static_cast<size_t>(to - from);
  if (token->empty() && size <= kMaxToken) {
    token->assign(from, size);
    return;
  }
  const size_t room = kMaxToken - std::min(kMaxToken, token->size());
  // A cut name matches no field and is not visible outside: WholeMember keeps none.
  if (size > room && token != &name_) members_.flags |= kTokenCut;
  token->append(from, std::min(size, room));
}

void MessageScanner::Start(bool line) {
  place_ = Place::kStart;
  level_ = Level::kMessage;
  line_ = line;
  stopped_ = batch_ = escape_ = escaped_ = malformed_ = false;
  nested_ = 0;
  elements_ = 0;
  members_.Clear();
  message_.Clear();
}

size_t MessageScanner::Feed(std::string_view bytes) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* at = begin;
  while (at != end) {
    switch (place_) {
      case Place::kDone:
        return at - begin;
      case Place::kNotJson:
        at = line_ ? std::find(at, end, '\n') : end;
        stopped_ = at != end;
        return at - begin;
      case Place::kNested:
        at = Nested(at, end);
        if (stopped_) return at - begin;
        break;
      case Place::kName:
      case Place::kText:
      case Place::kSkipped:
        if (InString(&at, end)) return at - begin;
        break;
      case Place::kScalar: {
        const char* const stop = std::find_if(at, end, EndsJsonScalar);
        if (Wanted()) Keep(&members_.Keep(field_), at, stop);
        at = stop;
        if (at != end) EndScalar();
        break;
      }
      default:
        if (place_ == Place::kMember && *at == '"') {
          if (const char* const after = WholeMember(at, end)) {
            at = after;
            break;
          }
        }
        if (*at == '\n' && line_) return stopped_ = true, at - begin;
        if (AtMemberLevel(*at)) ++at;
    }
  }
  return at - begin;
}

// Takes what Feed takes, from the tokens of a whole object.
struct MessageScanner::MemberSink {
  MessageScanner* const to;
  bool unusual = false;  // to be read by Feed

  bool AtMemberLevel(size_t depth) const { return depth == (to->level_ == Level::kError ? 2 : 1); }
  void Name(const char* from, const char* end, bool plain, size_t depth) {
    if (!AtMemberLevel(depth)) return;
    const std::string_view name(from + 1, static_cast<size_t>(end - from) - 2);
    if (!plain && name.find('\\') != name.npos) unusual = true;
    to->field_ = FieldOf(name, to->level_ == Level::kError);
  }
  void Scalar(const char* from, const char* end, size_t depth) {
    if (AtMemberLevel(depth) && to->Wanted()) unusual |= !to->KeepScalar(from, end);
  }
  void Open(const char* at, size_t depth) {
    if (!AtMemberLevel(depth) || !to->Wanted()) return;
    to->Note(to->field_);
    to->members_.not_string |= 1u << static_cast<int>(to->field_);
    if (*at == '{' && to->field_ == Field::kError && depth == 1) to->level_ = Level::kError;
  }
  void Close(const char*, size_t depth) {
    if (depth == 1) to->level_ = Level::kMessage;
  }
};

size_t MessageScanner::ReadWhole(std::string_view bytes, MessageShapes* shapes) {
  if (bytes.empty() || bytes.front() != '{') return 0;
  if (const MessageShapes::Known* const known = shapes->Find(bytes)) {
    for (const MessageShapes::Member& member : known->members) {
      level_ = member.in_error ? Level::kError : Level::kMessage;
      field_ = member.field;
      const std::string_view value = known->tokens.begin()[member.token].In(bytes);
      if (member.container) {
        Note(field_);
        members_.not_string |= Members::BitOf(field_);
      } else if (!KeepScalar(value.data(), value.data() + value.size())) {
        Start(line_);
        return 0;
      }
    }
    place_ = Place::kDone;
    return known->tokens.size();
  }
  JsonTokens* const tokens = shapes->Fresh();
  MemberSink sink{this};
  if (!tokens->ReadValue(bytes, &sink) || sink.unusual) {
    Start(line_);
    return 0;
  }
  shapes->Keep(bytes);
  place_ = Place::kDone;
  return tokens->size();
}

// The value of field_, whole. False: too long to be kept.
bool MessageScanner::KeepScalar(const char* from, const char* end) {
  if (end - from > static_cast<ptrdiff_t>(kMaxToken)) return false;
  Note(field_);
  std::string_view& whole = members_.whole[static_cast<int>(field_)];
  whole = {from, static_cast<size_t>(end - from)};
  if (*from != '"') {
    members_.not_string |= Members::BitOf(field_);
    if (field_ == Field::kError && level_ == Level::kMessage) {
      members_.error_is_null = whole == "null";
    }
  } else if (!KeepsQuotes(field_)) {
    whole = whole.substr(1, whole.size() - 2);
    if (std::find(whole.begin(), whole.end(), '\\') != whole.end()) {
      members_.Keep(field_) = Unescape(whole);
    }
  }
  return true;
}

// Fast path for a member that lies whole in [at, end) in the usual spelling. Called at its opening
// quote. Returns where it ends (or where its container begins), or nullptr if it is to be read byte
// by byte.
const char* MessageScanner::WholeMember(const char* at, const char* end) {
  const char* const name = at + 1;
  const char* value = FindInString(name, end);
  if (end - value < 4 || value[0] != '"' || value[1] != ':') return nullptr;
  const Field field = FieldOf({name, static_cast<size_t>(value - name)}, level_ == Level::kError);
  value += value[2] == ' ' ? 3 : 2;
  const char* stop = value;
  if (*value == '"') {
    stop = FindInString(value + 1, end);
    if (stop == end || *stop != '"') return nullptr;
    ++stop;
  } else if (*value != '{' && *value != '[') {
    stop = std::find_if(value, end, EndsJsonScalar);
    if (stop == value || stop == end) return nullptr;
  }
  if (stop - value > static_cast<ptrdiff_t>(kMaxToken)) return nullptr;

  field_ = field;
  Note(field);
  if (stop == value) {
    OpenValue(*value);
    return value + 1;
  }
  if (Wanted()) {
    const bool bare = *value == '"' && !KeepsQuotes(field);
    members_.Keep(field).assign(value + bare, stop - bare);
    if (*value != '"') members_.not_string |= 1u << static_cast<int>(field);
  }
  place_ = Place::kAfter;
  if (*value != '"') EndScalar();
  if (stop == end || *stop != ',') return stop;
  place_ = Place::kMember;
  return stop + 1;
}

// Inside a container that is skipped.
const char* MessageScanner::Nested(const char* at, const char* end) {
  if (!escape_) {
    Nesting nesting{nested_, in_string_};
    at = SkipNested(at, end, line_, &nesting);
    nested_ = nesting.depth;
    in_string_ = nesting.in_string;
    if (nested_ == 0) place_ = level_ == Level::kBatch ? Place::kElement : Place::kAfter;
    if (nested_ == 0 || at == end) return at;
  }
  // At a backslash, at the byte after one, or at a newline that ends the line.
  if (line_ && *at == '\n') {
    stopped_ = true;
    return at;
  }
  escape_ = !escape_ && in_string_;
  return at + 1;
}

// One byte outside strings, scalars and nested containers. False: process it again in the new
// place.
bool MessageScanner::AtMemberLevel(char c) {
  if (IsJsonBlank(c)) return true;
  switch (place_) {
    case Place::kStart:
      if (c == '{') {
        place_ = Place::kMember;
      } else if (c == '[') {
        batch_ = true;
        level_ = Level::kBatch;
        place_ = Place::kElement;
      } else {
        place_ = Place::kNotJson;
      }
      return true;
    case Place::kElement:
      field_ = Field::kNone;
      if (c == ']') {
        place_ = Place::kDone;
      } else if (c == '{') {
        level_ = Level::kMessage;
        place_ = Place::kMember;
      } else if (c != ',') {
        ++elements_;  // an element that is not an object; it has no classification
        malformed_ = true;
        return OpenValue(c);
      }
      return true;
    case Place::kMember:
      if (c == '"') {
        name_.clear();
        escaped_ = false;
        place_ = Place::kName;
      } else if (c == '}') {
        CloseObject();
      } else if (c != ',') {
        malformed_ = true;
        field_ = Field::kNone;
        return OpenValue(c);
      }
      return true;
    case Place::kColon:
      place_ = Place::kValue;
      if (c == ':') return true;
      malformed_ = true;
      return false;
    case Place::kValue:
      if (c == '}' || c == ',') {
        malformed_ = true;
        place_ = Place::kAfter;
        return false;
      }
      Note(field_);
      return OpenValue(c);
    default:  // kAfter
      if (c == ',') {
        place_ = Place::kMember;
      } else if (c == '}') {
        CloseObject();
      } else {
        malformed_ = true;
        place_ = Place::kMember;
        return false;
      }
      return true;
  }
}

// The first byte of a value whose field is field_. False: it is also the scalar's own first byte.
bool MessageScanner::OpenValue(char c) {
  if (c == '"') {
    escaped_ = false;
    place_ = Wanted() ? Place::kText : Place::kSkipped;
    return true;
  }
  if (Wanted()) members_.not_string |= 1u << static_cast<int>(field_);
  if (c == '{' && field_ == Field::kError && level_ == Level::kMessage) {
    level_ = Level::kError;
    place_ = Place::kMember;
  } else if (c == '{' || c == '[') {
    nested_ = 1;
    in_string_ = false;
    place_ = Place::kNested;
  } else {
    place_ = Place::kScalar;
    if (!EndsJsonScalar(c)) return false;
    malformed_ = true;
  }
  return true;
}

void MessageScanner::CloseObject() {
  if (level_ == Level::kError) {
    level_ = Level::kMessage;
    place_ = Place::kAfter;
  } else if (batch_) {
    FinishElement();
    level_ = Level::kBatch;
    place_ = Place::kElement;
  } else {
    place_ = Place::kDone;
  }
}

// Consumes string bytes up to the closing quote or the end. True: a raw newline ends the text.
bool MessageScanner::InString(const char** at, const char* end) {
  std::string* const token = place_ == Place::kName   ? &name_
                             : place_ == Place::kText ? &members_.Keep(field_)
                                                      : nullptr;
  while (*at != end) {
    const char* stop = *at;
    if (escape_ && *stop != '\n') {
      escape_ = false;
      ++stop;
    } else {
      stop = FindInString(stop, end);
    }
    if (token) Keep(token, *at, stop);
    *at = stop;
    if (stop == end) return false;
    if (escape_ || *stop == '\n') {
      if (line_ && *stop == '\n') return stopped_ = true;
      escape_ = false;
      malformed_ = true;  // a raw newline must be escaped (RFC 8259, section 7)
      ++*at;
    } else if (*stop == '\\') {
      if (token) Keep(token, stop, stop + 1);
      escape_ = escaped_ = true;
      ++*at;
    } else if (*stop == '"') {
      ++*at;
      EndString();
      return false;
    }
  }
  return false;
}

void MessageScanner::EndName() {
  if (escaped_) name_ = Unescape(name_);
  field_ = FieldOf(name_, level_ == Level::kError);
  place_ = Place::kColon;
}

void MessageScanner::EndString() {
  if (place_ == Place::kName) return EndName();
  if (place_ == Place::kText) {
    std::string& token = members_.Keep(field_);
    if (KeepsQuotes(field_)) {
      token.insert(token.begin(), '"');
      token += '"';
    } else if (escaped_) {
      token = Unescape(token);
    }
  }
  place_ = level_ == Level::kBatch ? Place::kElement : Place::kAfter;
}

void MessageScanner::EndScalar() {
  if (field_ == Field::kError && level_ == Level::kMessage) {
    members_.error_is_null = members_.of(field_) == "null";
  }
  place_ = level_ == Level::kBatch ? Place::kElement : Place::kAfter;
}

void MessageScanner::FinishElement() {
  if (++elements_ <= kMaxBatchElements) Classify(&members_, &message_.elements.emplace_back());
  members_.Clear();
}

const Message& MessageScanner::Finish() {
  if (batch_ && done()) {
    message_.kind = Kind::kBatch;
  } else if (!batch_ && done()) {
    Classify(&members_, &message_);
  } else {
    malformed_ = true;  // cut off, or not an object or array at all
  }
  if (malformed_) message_.flags |= kMalformed;
  return message_;
}

}  // namespace midwire::wire
