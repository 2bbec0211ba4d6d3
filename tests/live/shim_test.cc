#include "fuzz/live/shim.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/files.h"

namespace midwire::fuzz {
namespace {

// The stand-in is this program again: it is what /proc/self/exe names.
[[maybe_unused]] const bool is_shim = [] {
  if (const char* socket = getenv(kShimVariable)) _exit(RunShim(socket));
  return false;
}();

size_t OpenDescriptors() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

bool Readable(int fd, short events = POLLIN) {
  pollfd one = {fd, events, 0};
  return poll(&one, 1, 20'000) == 1;
}

class ShimTest : public testing::Test {
 protected:
  void SetUp() override { setenv("TMPDIR", folder_.c_str(), 1); }
  void TearDown() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    unsetenv("TMPDIR");
  }

  // A host that starts the listener's program; its ends of the pipes are host_in, host_out.
  pid_t StartPlugin(const ShimListener& listener) {
    int in[2], out[2];
    EXPECT_EQ(pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    const std::string program = listener.program();
    const pid_t pid = fork();
    if (pid == 0) {
      dup2(in[0], 0);
      dup2(out[1], 1);
      execl(program.c_str(), program.c_str(), "--an-argument", nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_plugin_ = in[1];
    from_plugin_ = out[0];
    return pid;
  }
  void CloseHost() {
    close(to_plugin_);
    close(from_plugin_);
  }
  static int StatusOf(pid_t pid) {
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    return status;
  }
  // As if it was killed: no destructor runs.
  static pid_t EndedListener() {
    const pid_t pid = fork();
    if (pid == 0) {
      auto* listener = new ShimListener;
      _exit(listener->Open("plugin") ? 0 : 1);
    }
    EXPECT_EQ(StatusOf(pid), 0);
    return pid;
  }

  const TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
  int to_plugin_ = -1, from_plugin_ = -1;
};

TEST_F(ShimTest, BytesPassInBothDirections) {
  ShimListener listener;
  ASSERT_TRUE(listener.Open("plugin"));
  const pid_t pid = StartPlugin(listener);
  ASSERT_TRUE(Readable(listener.descriptor()));
  Link link = listener.Accept();
  ASSERT_GE(link.hold, 0);
  char text[8] = {};
  ASSERT_EQ(write(to_plugin_, "ask", 3), 3);
  ASSERT_TRUE(Readable(link.from_host));
  EXPECT_EQ(read(link.from_host, text, sizeof text), 3);
  ASSERT_EQ(write(link.to_host, "told", 4), 4);
  EXPECT_EQ(read(from_plugin_, text, sizeof text), 4);
  EXPECT_STREQ(text, "told");
  EXPECT_EQ(read(link.from_host, text, sizeof text), -1) << "it does not block";
  EXPECT_EQ(errno, EAGAIN);
  link.Close();
  EXPECT_EQ(read(from_plugin_, text, sizeof text), 0) << "the shim holds it open";
  EXPECT_EQ(StatusOf(pid), 0);
  CloseHost();
}

TEST_F(ShimTest, APluginThatIsKilledIsNoticed) {
  ShimListener listener;
  ASSERT_TRUE(listener.Open("plugin"));
  const pid_t pid = StartPlugin(listener);
  ASSERT_TRUE(Readable(listener.descriptor()));
  Link link = listener.Accept();
  pollfd hold = {link.hold, 0, 0};
  EXPECT_EQ(poll(&hold, 1, 0), 0);
  kill(pid, SIGKILL);
  EXPECT_TRUE(Readable(link.hold, 0));
  StatusOf(pid);
  link.Close();
  CloseHost();
}

TEST_F(ShimTest, ALateCallerDoesNotOutliveItsListener) {
  auto listener = std::make_unique<ShimListener>();
  ASSERT_TRUE(listener->Open("plugin"));
  const pid_t pid = StartPlugin(*listener);
  ASSERT_TRUE(Readable(listener->descriptor()));
  listener.reset();  // it was not accepted
  EXPECT_EQ(StatusOf(pid), 0);
  CloseHost();
  EXPECT_EQ(RunShim(folder_ + "/socket"), 1) << "there is no listener";
}

TEST_F(ShimTest, OthersHaveNoAccessAndNothingIsInherited) {
  ShimListener listener;
  ASSERT_TRUE(listener.Open("my plugin's"));
  struct stat info;
  ASSERT_EQ(stat(listener.folder().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  ASSERT_EQ(stat(listener.program().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  EXPECT_EQ(fcntl(listener.descriptor(), F_GETFD), FD_CLOEXEC);
  const pid_t pid = StartPlugin(listener);
  ASSERT_TRUE(Readable(listener.descriptor()));
  Link link = listener.Accept();
  for (const int fd : {link.from_host, link.to_host, link.hold}) {
    EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
  }
  link.Close();
  StatusOf(pid);
  CloseHost();
}

TEST_F(ShimTest, ATmpdirTooLongForASocketIsAccepted) {
  const std::string deep = folder_ + "/it's a " + std::string(150, 'x');
  std::filesystem::create_directory(deep);
  setenv("TMPDIR", deep.c_str(), 1);
  {
    ShimListener listener;
    const Status opened = listener.Open("plugin");
    ASSERT_TRUE(opened) << opened.error().Text();
    const pid_t pid = StartPlugin(listener);
    ASSERT_TRUE(Readable(listener.descriptor()));
    Link link = listener.Accept();
    EXPECT_GE(link.hold, 0);
    link.Close();
    EXPECT_EQ(StatusOf(pid), 0);
    CloseHost();
  }
  EXPECT_TRUE(std::filesystem::is_empty(deep));
  std::filesystem::remove(deep);
}

TEST_F(ShimTest, ARelativeTmpdirIsFoundFromElsewhere) {
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  setenv("TMPDIR", ".", 1);
  ShimListener listener;
  ASSERT_TRUE(listener.Open("plugin"));
  std::filesystem::current_path(here);
  EXPECT_TRUE(std::filesystem::exists(listener.program()));
  EXPECT_EQ(listener.program()[0], '/');
}

TEST_F(ShimTest, AFolderThatCannotBeMadeIsReported) {
  setenv("TMPDIR", "/proc", 1);
  ShimListener listener;
  const Status opened = listener.Open("plugin");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().Text(), testing::HasSubstr("/proc/midwire-"));
}

// ---- unknown clients

// Passes that many descriptors as a shim would.
void Call(const ShimListener& listener, int count) {
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, (listener.folder() + "/socket").c_str(), sizeof address.sun_path - 1);
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(16 * sizeof(int))] = {};
  msghdr message = {};
  message.msg_name = &address;
  message.msg_namelen = sizeof address;
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (count > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    int ends[16];
    for (int& end : ends) end = fd;
    memcpy(CMSG_DATA(header), ends, sizeof(int) * static_cast<size_t>(count));
  }
  EXPECT_EQ(sendmsg(fd, &message, MSG_NOSIGNAL), 1) << strerror(errno);
  close(fd);
}

TEST_F(ShimTest, OtherClientsAreNoLinksAndLeaveNoDescriptors) {
  ShimListener listener;
  ASSERT_TRUE(listener.Open("plugin"));
  const size_t before = OpenDescriptors();
  for (const int count : {0, 1, 2, 4, 5, 16}) {
    Call(listener, count);
    EXPECT_EQ(listener.Accept().hold, -1) << count;
    EXPECT_EQ(OpenDescriptors(), before) << count;
  }
}

TEST_F(ShimTest, AfterOtherClientsThePluginIsAccepted) {
  ShimListener listener;
  ASSERT_TRUE(listener.Open("plugin"));
  Call(listener, 1);
  Call(listener, 5);
  Call(listener, 3);
  Link link = listener.Accept();
  EXPECT_GE(link.hold, 0);
  link.Close();
}

TEST_F(ShimTest, WithoutACallAcceptDoesNotWait) {
  ShimListener listener;
  ASSERT_TRUE(listener.Open("plugin"));
  EXPECT_EQ(listener.Accept().hold, -1);
}

// ---- what a killed process leaves

TEST_F(ShimTest, RemovesTheFolderOfAnEndedProcessOnly) {
  ShimListener second;
  ASSERT_TRUE(second.Open("plugin"));
  const pid_t pid = EndedListener();
  ShimListener::RemoveLeft(getpid());
  EXPECT_TRUE(std::filesystem::exists(second.program()));
  ShimListener::RemoveLeft(pid);
  EXPECT_TRUE(std::filesystem::exists(second.program()));
}

TEST_F(ShimTest, TheNextListenerRemovesWhatAKilledProcessLeft) {
  EndedListener();
  std::filesystem::create_directory(folder_ + "/midwire-others");
  EXPECT_FALSE(std::filesystem::is_empty(folder_));
  {
    ShimListener next;
    ASSERT_TRUE(next.Open("plugin"));
  }
  EXPECT_TRUE(std::filesystem::remove(folder_ + "/midwire-others"));
}

}  // namespace
}  // namespace midwire::fuzz
