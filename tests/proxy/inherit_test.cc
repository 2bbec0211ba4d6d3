// What the plugin inherits: everything as in a direct start (P4). One peer prints all it can know;
// its output of both starts must be equal.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/proxy/host.h"
#include "tests/sanitized.h"

namespace midwire::proxy {
namespace {

class InheritTest : public RecordTest {
 protected:
  std::string Printed(const Command& command, const std::function<void()>& before_exec) {
    Host host({.command = command, .before_exec = before_exec});
    const std::string printed = host.ReceiveAll();
    EXPECT_EQ(host.ReceiveErrors(), "");
    EXPECT_EQ(host.Wait(), (Ending{0, 0}));
    return printed;
  }
  // Returns the output of both.
  std::string ExpectSame(const Command& arguments, const std::function<void()>& before_exec) {
    Command peer = {"print_process"};
    peer.insert(peer.end(), arguments.begin(), arguments.end());
    const std::string direct = Printed(Direct(peer), before_exec);
    EXPECT_TRUE(direct.starts_with("argument 0: ")) << direct;
    EXPECT_EQ(Printed(Recorded(peer), before_exec), direct);
    return direct;
  }
};

TEST_F(InheritTest, NothingSpecial) {
  ExpectSame({}, [] {});
}

TEST_F(InheritTest, ArgumentsEmptyNonAsciiAndLikeOptions) {
  const std::string printed = ExpectSame(
      {"", "--", "--help", "-o", "x", "\xc3\xa4\xff", "a b", "*", "\n", "record", "--version"},
      [] {});
  EXPECT_NE(printed.find("argument 3: --help\n"), std::string::npos);
}

TEST_F(InheritTest, Environment) {
  const std::string printed = ExpectSame({}, [] {
    setenv("MIDWIRE_DRAIN", "1s", 1);
    setenv("EMPTY", "", 1);
    setenv("BYTES", "\xff\xfe", 1);
    unsetenv("HOME");
  });
  EXPECT_NE(printed.find("environment: MIDWIRE_DRAIN=1s\n"), std::string::npos);
}

TEST_F(InheritTest, FolderUmaskAndNiceness) {
  const std::string printed = ExpectSame({}, [this] {
    if (chdir(folder_.c_str()) != 0) _exit(98);
    umask(0777);
    // The launcher's own limit; a lower one is not passed on.
    if (setpriority(PRIO_PROCESS, 0, 17) != 0) _exit(98);
  });
  EXPECT_NE(printed.find("nice: 17\n"), std::string::npos);
  struct stat info;
  ASSERT_EQ(stat(tape().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);  // whatever the umask
}

TEST_F(InheritTest, ResourceLimits) {
  ExpectSame({}, [] {
    const auto limit = [](__rlimit_resource resource, rlim_t value) {
      const rlimit both = {value, value};
      setrlimit(resource, &both);
    };
    limit(RLIMIT_CPU, 100);
    limit(RLIMIT_NOFILE, 64);
    limit(RLIMIT_CORE, 12345);
    limit(RLIMIT_STACK, 1 << 20);
    if (!IsSanitized()) limit(RLIMIT_AS, 512 << 20);
  });
}

TEST_F(InheritTest, SignalMaskAndDispositions) {
  const std::string printed = ExpectSame({}, [] {
    sigset_t some;
    sigemptyset(&some);
    for (int number : {SIGUSR1, SIGTERM, SIGCHLD, SIGRTMIN + 1}) sigaddset(&some, number);
    sigprocmask(SIG_SETMASK, &some, nullptr);
    for (int number : {SIGPIPE, SIGHUP, SIGCHLD, SIGXFSZ, SIGUSR2}) signal(number, SIG_IGN);
  });
  EXPECT_EQ(printed.find("SigIgn:\t0000000000000000"), std::string::npos);
}

TEST_F(InheritTest, ProcessGroupAndSession) {
  // Each start leads its own group: the plugin's group is that of the process that the host
  // started.
  const Command peer = {"print_process"};
  for (const Command& command : {Direct(peer), Recorded(peer)}) {
    Host host({.command = command, .before_exec = [] { setsid(); }});
    const std::string printed = host.ReceiveAll();
    const std::string pid = std::to_string(host.pid());
    EXPECT_NE(printed.find("group: " + pid + "\nsession: " + pid + "\n"), std::string::npos);
    EXPECT_EQ(host.Wait(), (Ending{0, 0}));
  }
}

TEST_F(InheritTest, OpenDescriptors) {
  std::ofstream(Path("file")) << "0123456789";
  const std::string printed = ExpectSame({}, [this] {
    const int file = open(Path("file").c_str(), O_RDWR);
    lseek(file, 4, SEEK_SET);
    for (int fd : {3, 7, 64, 250}) dup2(file, fd);
    fcntl(open("/dev/zero", O_RDONLY), F_SETFD, FD_CLOEXEC);
  });
  EXPECT_NE(printed.find("descriptor 250: "), std::string::npos);
}

TEST_F(InheritTest, ADescriptorThatThePluginClosesIsClosed) {
  // The host waits for the end of a pipe that it left open for the plugin: midwire must not hold
  // it.
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Host host({.command = Recorded({"/bin/sh", "-c", "exec 9>&-; read line; exit 1"}),
             .before_exec = [&] { dup2(ends[1], 9); }});
  close(ends[1]);
  char byte;
  pollfd slot = {ends[0], POLLIN, 0};
  ASSERT_EQ(poll(&slot, 1, kPatienceMs), 1);
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  EXPECT_FALSE(host.HasEnded());
  close(ends[0]);
}

TEST_F(InheritTest, NonBlockingEndsStayNonBlocking) {
  const std::string printed = ExpectSame({}, [] { fcntl(0, F_SETFL, O_NONBLOCK); });
  EXPECT_NE(printed.find("descriptor 0: flags 2048"), std::string::npos);
}

TEST_F(InheritTest, FewDescriptorsAreLeft) {
  if (IsSanitized()) {
    GTEST_SKIP() << "UBSan opens descriptors of its own, and reports what is none when it cannot";
  }
  // The launcher needs some descriptors; the plugin must still run, or fail cleanly.
  for (rlim_t most : {8, 12, 14, 16, 18, 20, 24}) {
    Host host({.command = Recorded({"exits", "31"}), .before_exec = [&] {
                 const rlimit limit = {most, most};
                 setrlimit(RLIMIT_NOFILE, &limit);
               }});
    const std::string errors = host.ReceiveErrors();
    const Ending ending = host.Wait();
    if (ending == (Ending{31, 0})) continue;
    EXPECT_EQ(ending, (Ending{126, 0})) << most;
    EXPECT_NE(errors.find("cannot start the plugin"), std::string::npos) << most;
    EXPECT_LT(most, 18u);
  }
}

}  // namespace
}  // namespace midwire::proxy
