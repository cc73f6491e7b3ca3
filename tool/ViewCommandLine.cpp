// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares view's options for CLI11.

#include "ViewCommandLine.h"

#include "CommandOptions.h"

#include <charconv>
#include <string>
#include <system_error>

using namespace loopscope;

namespace {
uint16_t parsePort(const std::string &Word) {
  uint16_t Port = 0;
  auto [End, Code] =
      std::from_chars(Word.data(), Word.data() + Word.size(), Port);
  if (Code != std::errc() || End != Word.data() + Word.size() || Port == 0)
    throw CLI::ValidationError(
        "--port", fmt::format("'{}' is not a port from 1 to 65535", Word));
  return Port;
}
} // namespace

void loopscope::addView(CLI::App &Main, ViewRequest &Request, int &Code) {
  CLI::App *View = Main.add_subcommand(
      "view", "Serve the page of a run to your browser, with every span");
  View->footer(R"(
Prints an address on this machine that nobody can guess. The page is that of
`loopscope report --format html`; where it has no room for single spans, zooming
in loads them. Reloading shows what a run has written since. Ends with Ctrl-C.
Nothing is written to a file, and no other machine can connect.

Examples:
  loopscope view train.4711.loopscope
      Prints the address.
  loopscope view profiles/ --open
      Every run or rank in that directory, in the browser.
  loopscope view train.4711.loopscope --port 8080
      For a run on another machine; on yours, ssh -L 8080:127.0.0.1:8080 HOST
      makes the printed address work.
)");
  View->add_option("PROFILE", Request.Files,
                   "Profiles, PyTorch traces, or directories of them")
      ->required();
  View->add_option_function<std::string>(
          "--port",
          [&Request](const std::string &Word) {
            Request.Port = parsePort(Word);
          },
          "Listen on this port (default: any that is free)")
      ->type_name("N");
  View->add_flag("--open", Request.Open,
                 "Open the page in the browser ($BROWSER, else the desktop's)");
  addInputOptions(*View, Request.Options);
  View->callback([&] { Code = runView(Request); });
}
