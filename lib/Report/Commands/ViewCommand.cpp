// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serves the page.

#include "Report/Commands/ViewCommand.h"

#include "Report/Commands/OpenPage.h"
#include "Report/Commands/Output.h"
#include "Report/Commands/ServedPage.h"
#include "Support/LocalServer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace loopscope;

namespace {
int StopPipe[2] = {-1, -1};

// The first signal stops the server, the next one ends the program at once.
void stopServer(int /*Signal*/) {
  int Kept = errno;
  [[maybe_unused]] ssize_t Written = write(StopPipe[1], "", 1);
  errno = Kept;
}

bool catchSignals() {
  if (pipe2(StopPipe, O_CLOEXEC) != 0)
    return false;
  struct sigaction Action{};
  Action.sa_handler = stopServer;
  Action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  return sigaction(SIGINT, &Action, nullptr) == 0 &&
         sigaction(SIGTERM, &Action, nullptr) == 0;
}
} // namespace

int loopscope::runView(const ViewRequest &Request) {
  if (std::count(Request.Files.begin(), Request.Files.end(), "-") != 0)
    return fail("view: standard input can be read only once; name a file");
  // Whoever waits for a large profile can still end the program at once.
  ServedPage Page(Request.Files, Request.Options);
  if (!Page.start())
    return Failure;
  Result<LocalServer> Server = LocalServer::listen(Request.Port);
  if (!Server)
    return fail("view: " + Server.error().Message);
  if (!catchSignals())
    return fail(
        fmt::format("view: cannot wait for signals: {}", std::strerror(errno)));
  std::string Address = Server->address();
  fmt::print("{}\n", Address);
  std::fflush(stdout);
  std::thread Browser;
  if (Request.Open)
    Browser = std::thread([&Address] { openPage(Address); });
  Server->serve(
      [&Page](const HttpRequest &Asked) { return Page.answer(Asked); },
      StopPipe[0]);
  if (Browser.joinable())
    Browser.join();
  return Fine;
}
