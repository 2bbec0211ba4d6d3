// The bytes of the two directions in files of their own, such as `tee` writes in a wrapper script.
// They have no times: the order between them is guessed. Called by `midwire import STDIN STDOUT`.
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/import/conversation.h"

namespace midwire::trace::import {

// An answer comes after its request and before what its receiver sends next, as far as the two
// streams allow. That is the order of peers of which one waits for the other. Returns how often an
// id was looked up: a few times for each id.
uint64_t ReadStreams(std::string_view host, std::string_view plugin, Conversation* to);

// Whether these are the plugin's bytes rather than the host's: its first message with an id
// answers, or it is no `initialize`.
bool IsPluginStream(std::string_view bytes);

}  // namespace midwire::trace::import
