// bare_pingpong SESSION SECONDS -- PLUGIN ARGS...: sends the lines of a session to a plugin again
// and again, over pipes like those of `midwire fuzz`, waits for the end of each answer, and checks
// nothing else. Prints messages sent per second: the upper limit for a fuzzer that waits for
// answers.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int to = -1, from = -1;

void Say(std::string_view line) {
  if (write(to, line.data(), line.size()) != static_cast<ssize_t>(line.size())) exit(1);
}

// As a fuzzer must, it waits with a time limit.
bool Ready(int milliseconds) {
  pollfd ready = {from, POLLIN, 0};
  return poll(&ready, 1, milliseconds) == 1;
}

char buffer[64 * 1024];

std::string_view Receive() {
  size_t size = 0;
  do {
    if (!Ready(10'000)) exit(1);
    const ssize_t count = read(from, buffer + size, sizeof buffer - size);
    if (count <= 0) exit(1);
    size += static_cast<size_t>(count);
  } while (buffer[size - 1] != '\n');
  return {buffer, size};
}

pid_t Start(char** argv) {
  int in[2], out[2];
  if (pipe(in) != 0 || pipe(out) != 0) exit(1);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(in[0], 0), dup2(out[1], 1);
    for (const int fd : {in[0], in[1], out[0], out[1]}) close(fd);
    execvp(argv[0], argv);
    _exit(127);
  }
  close(in[0]), close(out[1]);
  to = in[1], from = out[0];
  return pid;
}

void End(pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  close(to), close(from);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> lines;
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);) lines.push_back(line + '\n');
  const pid_t pid = Start(argv + 4);
  const auto has = [](std::string_view line, std::string_view word) {
    return line.find(word) != line.npos;
  };
  std::string answer;
  const double begin = Now(), end = begin + atof(argv[2]);
  size_t sent = 0;
  for (bool first = true; Now() < end; first = false) {
    for (const std::string& line : lines) {
      if (has(line, "\"shutdown\"") || has(line, "\"exit\"")) continue;
      if (!first && has(line, "\"initialize")) continue;
      if (!has(line, "\"method\"")) continue;  // sent when the plugin requests it
      Say(line);
      ++sent;
      if (!has(line, "\"id\": ") || has(line, "$/cancel")) continue;
      std::string_view received = Receive();
      if (has(received, "host/ask")) {
        const size_t at = received.find("\"p-");
        answer = R"({"jsonrpc": "2.0", "id": )";
        answer += received.substr(at, received.find('"', at + 1) + 1 - at);
        answer += ", \"result\": {\"answer\": \"yes\"}}\n";
        Say(answer);
        ++sent;
        Receive();
      }
    }
  }
  printf("%.0f\n", static_cast<double>(sent) / (Now() - begin));
  End(pid);
}
