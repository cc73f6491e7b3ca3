// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at the program's file, and for our libraries beside this tool.

#include "Report/Commands/Preload.h"

#include "Symbols/Executable.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <system_error>
#include <unistd.h>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// The file that execvp() starts; empty if there is none.
std::string findProgram(const std::string &Command) {
  if (Command.find('/') != std::string::npos)
    return access(Command.c_str(), X_OK) == 0 ? Command : std::string();
  const char *Path = std::getenv("PATH");
  std::string_view Left = Path ? Path : "/bin:/usr/bin";
  for (;;) {
    std::string_view Directory = Left.substr(0, Left.find(':'));
    std::string File =
        (fs::path(Directory.empty() ? "." : Directory) / Command).string();
    std::error_code Failed;
    if (access(File.c_str(), X_OK) == 0 && fs::is_regular_file(File, Failed))
      return File;
    if (Directory.size() == Left.size())
      return {};
    Left.remove_prefix(Directory.size() + 1);
  }
}

// Whether the loader ignores LD_PRELOAD because the program gets more rights
// than its caller.
bool isPrivileged(const std::string &File) {
  struct stat Status{};
  if (stat(File.c_str(), &Status) != 0)
    return false;
  bool HasNewUser =
      (Status.st_mode & S_ISUID) != 0 && Status.st_uid != getuid();
  bool HasNewGroup =
      (Status.st_mode & S_ISGID) != 0 && Status.st_gid != getgid();
  return HasNewUser || HasNewGroup ||
         getxattr(File.c_str(), "security.capability", nullptr, 0) > 0;
}

// LIBRARY in the directory of our libraries; empty if it isn't there.
std::string findLibrary(const char *Library) {
  std::error_code Failed;
  fs::path Bin = fs::read_symlink("/proc/self/exe", Failed).parent_path();
  for (const fs::path &Directory :
       {Bin / LOOPSCOPE_PREFIX_FROM_BIN / LOOPSCOPE_LIBDIR, Bin / ".." / "lib"})
    if (fs::path File = (Directory / Library).lexically_normal();
        fs::exists(File, Failed))
      return File.string();
  return {};
}

// Sets why the library can't be loaded before the program, if it can't, and
// whether it can be sampled without.
void findObstacle(const Executable &Program, PreloadPlan &Plan) {
  if (isPrivileged(Plan.File)) {
    Plan.WhyNot = "it runs with more rights than its caller (setuid, setgid or "
                  "capabilities)";
    return;
  }
  if (!Program.IsOfThisMachine) {
    Plan.WhyNot = "it was built for another CPU architecture";
    return;
  }
  if (Program.Loader.empty())
    Plan.WhyNot = "it is linked statically";
  else if (Program.Loader.find("ld-musl") != std::string::npos)
    Plan.WhyNot =
        "it uses musl, and Loopscope's library needs the GNU C library";
  else if (Program.HasAddressSanitizer)
    Plan.WhyNot = "AddressSanitizer's library, which it uses, must be loaded "
                  "before all others";
  Plan.FromOutside = !Plan.WhyNot.empty();
}
} // namespace

PreloadPlan loopscope::planPreload(const std::string &Command) {
  PreloadPlan Plan;
  Plan.File = findProgram(Command);
  std::optional<Executable> Program =
      Plan.File.empty() ? std::nullopt : readExecutable(Plan.File);
  constexpr int MostScripts = 4; // as the kernel
  for (int I = 0; I < MostScripts && Program && !Program->Interpreter.empty();
       ++I) {
    Plan.File = Program->Interpreter;
    Program = readExecutable(Plan.File);
  }
  if (!Program || Program->HasRuntime)
    return {};
  findObstacle(*Program, Plan);
  if (!Plan.WhyNot.empty())
    return Plan;
  Plan.Library = findLibrary("libloopscope-run.so");
  Plan.Ranges = findLibrary("libloopscope-nvtx.so");
  if (Plan.Library.empty())
    Plan.WhyNot = "libloopscope-run.so isn't installed";
  return Plan;
}

std::string loopscope::applyPreload(const PreloadPlan &Plan) {
  if (Plan.Library.empty())
    return {};
  const char *Given = std::getenv("LD_PRELOAD");
  std::string All =
      Given && *Given ? std::string(Given) + ':' + Plan.Library : Plan.Library;
  setenv("LD_PRELOAD", All.c_str(), 1);
  if (Plan.Ranges.empty() || std::getenv("NVTX_INJECTION64_PATH"))
    return {};
  setenv("NVTX_INJECTION64_PATH", Plan.Ranges.c_str(), 1);
  return "nvtx=read";
}
