// Whether a value looks generated, as ids and handles are, or like ordinary content. Heuristics for
// bindings (replay/), handles (fuzz/) and infer (check/). Pure; separate, so that they can be read
// and tested as a table.
#pragma once

#include <string_view>

namespace midwire::trace {

// A string that rarely occurs twice by chance: letters and digits mixed, no blanks, not a version
// number, date or path. UUIDs, "thr_8f3a", "cb-17".
bool LooksMade(std::string_view text);

// A UUID in either case, or a ULID in capitals: unique, so that two equal ones are the same one.
bool IsUniqueId(std::string_view text);

// A token that hardly occurs in what people write: a unique id, or at least eight characters in
// which letters and digits change three times. Stricter than LooksMade, for parts of longer
// strings.
bool IsRandomToken(std::string_view token);

// A member whose value is computed from content: hash, digest, checksum, etag, sha256, ... Such a
// value is never another one in another run of the same plugin.
bool NamesDigest(std::string_view member);

// A member whose value identifies something: id, threadId, object_id, handle, token, cursor, ...;
// or the plural of one, for a list of such values.
bool NamesIdentity(std::string_view member);

}  // namespace midwire::trace
