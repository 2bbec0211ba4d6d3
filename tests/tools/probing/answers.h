// Answers of plugins to the probes of midwire doctor.
#pragma once

namespace midwire::tools {

inline constexpr char kMcpAnswer[] =
    R"({"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"x"}}})";

}  // namespace midwire::tools
