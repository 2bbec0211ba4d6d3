// What the plugin does with one message: `emit` says what it has to say to it.
#pragma once

#include <functional>
#include <string_view>

void Dispatch(std::string_view message, std::function<void(std::string_view)> emit);
