// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command line of the rewriter.

#include "Analysis/Samples/SmallFunctions.h"
#include "Instrument/Diagnose/Diagnostics.h"
#include "Instrument/Instrument.h"
#include "Instrument/Parse/Invocation.h"
#include "Instrument/PlainJob.h"
#include "Launch/CommandLine.h"
#include "Run/Read/ProfileReader.h"
#include "Support/Result.h"
#include "Support/Suggest.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <unistd.h>

using namespace llvm;
using namespace loopscope::instrument;
using loopscope::Result;

namespace {

cl::OptionCategory Category("loopscope-rewrite options");

cl::list<std::string> Files(cl::Positional, cl::desc("FILE... [-- FLAGS]"),
                            cl::cat(Category));
cl::opt<std::string>
    BuildPath("p", cl::value_desc("BUILD"), cl::cat(Category),
              cl::desc("Take the flags from BUILD/compile_commands.json"));
cl::opt<bool> CompilerCommand(
    "compiler-command", cl::cat(Category),
    cl::desc("What follows -- is a complete command of gcc, clang or nvcc that "
             "compiles FILE"));
cl::opt<std::string> OutputFile(
    "o", cl::value_desc("OUT"), cl::cat(Category),
    cl::desc("Write the rewritten FILE, or what --suggest finds, to OUT (- is "
             "standard output)"));
cl::opt<bool> InPlace("in-place", cl::cat(Category),
                      cl::desc("Overwrite the sources; needs --force"));
cl::opt<bool> Force("force", cl::cat(Category),
                    cl::desc("Let --in-place overwrite the sources"));
cl::opt<bool> DryRun("dry-run", cl::cat(Category),
                     cl::desc("Print a unified diff and write nothing"));
cl::opt<bool> ListSites(
    "list", cl::cat(Category),
    cl::desc("Print what was found: phase, kind, file:line, function"));
cl::opt<std::string> DumpChoice(
    "dump", cl::value_desc("marks|sites|edits"), cl::cat(Category),
    cl::desc("Print what the rewriter found, will time or will change, one "
             "line per item, and write nothing; for debugging it"));
cl::opt<std::string> Mirror(
    "mirror", cl::value_desc("DIR"), cl::cat(Category),
    cl::desc("Write rewritten sources and headers as DIR/<absolute path>"));
cl::opt<std::string>
    ManifestFile("manifest", cl::value_desc("JSON"), cl::cat(Category),
                 cl::desc("With --mirror: write what was done to JSON (- is "
                          "standard output)"));
cl::opt<bool> Relocatable(
    "relocatable", cl::cat(Category),
    cl::desc("With --mirror: sources that have relative names become the same "
             "text in every directory, as compiler caches want it, to be "
             "compiled with -iquote DIR"));
cl::opt<bool> KeepLines(
    "keep-lines", cl::cat(Category),
    cl::desc("With --mirror: write no lines before the text, as clang's "
             "coverage wants it, to be compiled with -include "
             "loopscope/hooks.h"));
cl::opt<bool> Explain(
    "explain", cl::cat(Category),
    cl::desc("Explain the diagnostics whose IDs are given in place of FILE "
             "(all: every one); without an ID list them"));
enum class OnErrorChoice { Fail, Passthrough };
cl::opt<OnErrorChoice>
    OnError("on-error", cl::cat(Category), cl::init(OnErrorChoice::Fail),
            cl::desc("What happens when something can't be instrumented:"),
            cl::values(clEnumValN(OnErrorChoice::Fail, "fail",
                                  "an error, and nothing is written (default)"),
                       clEnumValN(OnErrorChoice::Passthrough, "passthrough",
                                  "a warning, and it stays as it is")));

cl::opt<bool>
    Suggest("suggest", cl::cat(Category),
            cl::desc("Print a selection file for sources without annotations"));
cl::opt<unsigned> Threads("j", cl::value_desc("N"), cl::cat(Category),
                          cl::init(1), cl::desc("Work on N files at a time"));
cl::opt<std::string> SelectFile(
    "select", cl::value_desc("YAML"), cl::cat(Category),
    cl::desc("Annotate by the rules in YAML, for code that you can't edit"));
cl::opt<bool>
    Functions("functions", cl::cat(Category),
              cl::desc("Time the project's functions too, except small ones"));
cl::opt<unsigned> MinSize(
    "min-size", cl::value_desc("N"), cl::cat(Category),
    cl::desc("With --functions: the size below which a function is small "
             "(statements + calls + 10 for a loop; default 6; without a loop, "
             "16 for inline functions, members defined in their class, "
             "templates and lambdas)"));
cl::opt<std::string> FunctionsFrom(
    "functions-from", cl::value_desc("PROFILE"), cl::cat(Category),
    cl::desc("With --functions: leave out what PROFILE, of an earlier run in "
             "function mode or with LOOPSCOPE=stacks, shows to be small"));
cl::opt<bool>
    ShowErrors("show-errors", cl::cat(Category),
               cl::desc("Print all of clang's errors, even outside "
                        "annotations; functions with errors get no hooks"));
cl::opt<bool> PrintSummary(
    "summary", cl::cat(Category),
    cl::desc("With --functions: print how many functions got a hook, and how "
             "many not, by reason"));

constexpr StringLiteral Overview =
    "Reads C, C++ and CUDA sources whose training loops are annotated with\n"
    "[[loopscope::...]] and writes copies with timing hooks in them.\n\n"
    "Examples:\n"
    "  See what is annotated:\n"
    "    loopscope-rewrite --list train.cpp -- -std=c++17 -Iinclude\n"
    "  See what would change:\n"
    "    loopscope-rewrite --dry-run train.cpp -- -std=c++17 -Iinclude\n"
    "  Write one rewritten file:\n"
    "    loopscope-rewrite train.cpp -o train.loopscope.cpp -- -std=c++17\n"
    "  Take the flags from a build directory, and rewrite headers too:\n"
    "    loopscope-rewrite -p build --mirror out src/train.cpp src/model.cpp\n"
    "  What a diagnostic means (here [in-macro] stood at its end):\n"
    "    loopscope-rewrite --explain in-macro\n"
    "  Why a mark has no hook, or the wrong one:\n"
    "    loopscope-rewrite --dump=marks train.cpp -- -std=c++17\n"
    "  Start from a guess at a program's loops:\n"
    "    loopscope-rewrite --suggest train.cpp -o loops.yaml\n"
    "  Annotate a program without editing it, and time its functions:\n"
    "    loopscope-rewrite --select loops.yaml --functions train.cpp -o "
    "t.cpp\n\n"
    "Exit code: 0 if it is done, 1 if something in the sources can't be\n"
    "instrumented or the result can't be written, 2 after wrong usage or if a\n"
    "file can't be read.\n";

enum ExitCode {
  Fine = 0,
  Refused = 1, ///< something in the sources stops it, or it can't be written
  Failed = 2   ///< wrong usage, or a file can't be read
};

int fail(const Twine &Text) {
  errs() << "loopscope-rewrite: error: " << Text << '\n';
  return Failed;
}

loopscope::Error failure(const Twine &Text) { return {Text.str()}; }

const std::map<std::string, Dump> Dumpable = {
    {"marks", Dump::Marks}, {"sites", Dump::Sites}, {"edits", Dump::Edits}};

/// Chooses the output from the options; an error names those that clash.
Result<Options> chooseOutput() {
  Options O;
  // --suggest may have an -o.
  int Chosen = (!OutputFile.empty() && !Suggest) + InPlace + DryRun +
               ListSites + Suggest + !Mirror.empty();
  bool Dumps = DumpChoice.getNumOccurrences() != 0;
  if (Dumps) {
    auto Known = Dumpable.find(DumpChoice);
    if (Known == Dumpable.end())
      return failure("--dump takes marks, sites or edits, not '" + DumpChoice +
                     "'");
    if (DryRun || ListSites || Suggest)
      return failure("--dump prints in place of --dry-run, --list "
                     "and --suggest; give one of them");
    O.Show = Known->second;
  }
  if (Chosen == 0 && !Dumps)
    return failure("say where the result goes: -o OUT, --mirror DIR, "
                   "--dry-run, --list, --suggest or --in-place --force");
  if (Chosen > 1)
    return failure("-o, --mirror, --dry-run, --list, --suggest and --in-place "
                   "exclude each other; give one of them");
  if (InPlace && !Force)
    return failure("--in-place overwrites your sources; say --force "
                   "if that is what you want, or use -o OUT");
  if (!ManifestFile.empty() && Mirror.empty())
    return failure("--manifest describes a mirror; give --mirror DIR");
  for (const cl::opt<bool> *Each : {&Relocatable, &KeepLines})
    if (*Each && Mirror.empty())
      return failure("--" + Each->ArgStr +
                     " describes a mirror; give --mirror DIR");
  if (((!OutputFile.empty() && !Suggest) || !ManifestFile.empty()) &&
      Files.size() > 1)
    return failure("-o and --manifest take one FILE; use --mirror DIR "
                   "for several");
  O.Out = InPlace           ? Output::InPlace
          : DryRun          ? Output::Diff
          : Suggest         ? Output::Suggest
          : ListSites       ? Output::List
          : !Mirror.empty() ? Output::Mirror
          : Chosen == 0     ? Output::Diff
                            : Output::File;
  O.OutputPath = Mirror.empty() ? OutputFile : Mirror;
  O.ManifestPath = ManifestFile;
  O.Relocatable = Relocatable;
  O.KeepLines = KeepLines;
  O.Passthrough = OnError == OnErrorChoice::Passthrough;
  return O;
}

/// Names the options of FILE's command that the parse leaves out, each once.
void nameUnknown(StringRef File, const std::vector<std::string> &Unknown) {
  static std::set<std::string> Named;
  std::string List;
  for (const std::string &Each : Unknown)
    if (Named.insert(Each).second)
      List += (List.empty() ? "" : ", ") + Each;
  if (!List.empty())
    errs() << "loopscope-rewrite: warning: '" << File << "' is parsed without "
           << List << ": whether that changes what the source means isn't "
           << "known\n";
}

/// The job for FILE in a real compiler's COMMAND, which runs in DIRECTORY.
Result<Job> translated(StringRef File, const std::vector<std::string> &Command,
                       StringRef Directory) {
  Result<std::vector<Invocation>> All =
      translateCommand(Command, Directory.str(), defaultResources());
  if (!All)
    return All.error();
  auto Absolute = [&](StringRef Path) {
    return loopscope::launch::absoluteIn(Path.str(), Directory.str());
  };
  for (Invocation &Each : *All)
    if (Absolute(Each.File) == Absolute(File)) {
      nameUnknown(Each.File, Each.Unknown);
      return Job{Each.File, Directory.str(), std::move(Each.Command),
                 Each.IsGcc, std::move(Each.OwnDirectories)};
    }
  return failure("the compiler command doesn't compile '" + File + "'");
}

/// Each FILE has one copy, from the first of COMMANDS, whose jobs are JOBS. If
/// others differ from it, prints which ones are left out.
void nameLeftOut(StringRef File,
                 ArrayRef<clang::tooling::CompileCommand> Commands,
                 ArrayRef<Job> Jobs) {
  auto IsDone = [&](const Job &Each) {
    return Each.Command == Jobs.front().Command &&
           Each.Directory == Jobs.front().Directory;
  };
  if (all_of(Jobs, IsDone))
    return;
  errs() << "loopscope-rewrite: warning: " << BuildPath
         << "/compile_commands.json compiles '" << File << "' " << Jobs.size()
         << " times in different ways; a file has one copy, so only the first "
            "is done; to instrument all, build with loopscope-launch\n";
  for (auto [Command, Each] : zip(Commands, Jobs)) {
    errs() << (IsDone(Each) ? "  done: " : "  left out: ") << "in "
           << Command.Directory << ':';
    for (const std::string &Word : Command.CommandLine) {
      errs() << ' ';
      sys::printArg(errs(), Word, /*Quote=*/false);
    }
    errs() << '\n';
  }
}

/// The jobs for one FILE; a database may compile it more than once.
Result<std::vector<Job>> jobsFor(const std::string &File,
                                 const clang::tooling::CompilationDatabase *DB,
                                 const std::vector<std::string> &Flags) {
  SmallString<256> Directory;
  (void)sys::fs::current_path(Directory);
  if (!DB && CompilerCommand) {
    Result<Job> One = translated(File, Flags, Directory);
    if (!One)
      return One.error();
    return std::vector<Job>{std::move(*One)};
  }
  if (!DB)
    return std::vector<Job>{plainJob(File, Flags, Directory.str().str(),
                                     any_of(Files, isCPlusPlus))};
  SmallString<256> Path(File);
  (void)sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, true);
  std::vector<clang::tooling::CompileCommand> Commands =
      DB->getCompileCommands(Path);
  std::vector<Job> Jobs;
  for (const auto &Command : Commands) {
    Result<Job> One = translated(Path, Command.CommandLine, Command.Directory);
    if (!One)
      return One.error();
    Jobs.push_back(std::move(*One));
  }
  if (Jobs.empty())
    return failure("'" + File + "' is not in " + BuildPath +
                   "/compile_commands.json");
  nameLeftOut(File, Commands, Jobs);
  Jobs.resize(1);
  return Jobs;
}

/// What the run of --functions-from shows about functions.
Result<loopscope::JudgedFunctions> earlierFunctions() {
  Result<loopscope::Run> Earlier = loopscope::readProfile(FunctionsFrom);
  if (!Earlier)
    return failure("--functions-from: " + Earlier.error().Message);
  auto Judged = loopscope::judgedFunctions(*Earlier);
  if (!Judged)
    return failure("--functions-from: " + Judged.error().Message);
  return loopscope::JudgedFunctions(std::move(*Judged));
}

/// The IDs of all diagnostics, which begin the lines of their list.
std::vector<std::string> diagnosticIDs() {
  std::string List = listDiagnostics();
  SmallVector<StringRef> Lines;
  StringRef(List).split(Lines, '\n', -1, false);
  std::vector<std::string> IDs;
  for (StringRef Line : Lines)
    IDs.push_back(Line.take_until([](char C) { return C == ' '; }).str());
  return IDs;
}

/// --explain, with IDs in place of files.
int explainDiagnostics() {
  if (Files.empty())
    outs() << listDiagnostics();
  for (const std::string &ID : Files) {
    std::optional<std::string> Text = ID == "all"
                                          ? std::optional(explainAll())
                                          : explain(StringRef(ID).trim("[]"));
    if (!Text) {
      std::string Near = loopscope::suggestionFor(ID, diagnosticIDs());
      return fail("there is no diagnostic '" + ID + "'; " +
                  (Near.empty() ? Near : Near + " ") +
                  "--explain alone lists them");
    }
    outs() << *Text;
  }
  return Fine;
}

/// Why FILE can't be read; empty if it can.
std::string whyUnreadable(StringRef File) {
  if (File == "-")
    return {};
  if (sys::fs::is_directory(File))
    return std::make_error_code(std::errc::is_a_directory).message();
  return access(File.str().c_str(), R_OK) == 0 ? "" : std::strerror(errno);
}

/// The word of FLAGS that makes them a whole compile command: its compiler or a
/// source that is given anyhow. Null if there is none.
const std::string *wordOfCommand(const std::vector<std::string> &Flags) {
  if (!Flags.empty() && !StringRef(Flags.front()).starts_with("-"))
    return &Flags.front();
  auto Found = find_if(
      Flags, [](const std::string &Each) { return is_contained(Files, Each); });
  return Found == Flags.end() ? nullptr : &*Found;
}

} // namespace

int main(int Argc, const char **Argv) {
  InitLLVM X(Argc, Argv);
  const char **Separator = std::find(Argv, Argv + Argc, StringRef("--"));
  std::vector<std::string> Flags;
  if (Separator != Argv + Argc)
    Flags.assign(Separator + 1, Argv + Argc);
  cl::HideUnrelatedOptions(Category);
  cl::SetVersionPrinter([](raw_ostream &OS) {
    OS << "loopscope-rewrite " LOOPSCOPE_VERSION "\n";
  });
  if (!cl::ParseCommandLineOptions(static_cast<int>(Separator - Argv), Argv,
                                   Overview, &errs()))
    return Failed;
  if (Explain)
    return explainDiagnostics();
  if (Files.empty())
    return fail("no FILE given; see --help");
  if (CompilerCommand && !BuildPath.empty())
    return fail("--compiler-command and -p exclude each other; give one of "
                "them");
  if (const std::string *Word = wordOfCommand(Flags);
      Word != nullptr && !CompilerCommand)
    return fail("'" + *Word +
                "' after -- is no flag; --compiler-command takes a whole "
                "compile command");
  Result<Options> O = chooseOutput();
  if (!O)
    return fail(O.error().Message);
  O->Program = Argv[0];
  O->Colour = sys::Process::StandardErrHasColors() && !std::getenv("NO_COLOR");
  Selection Select;
  if (!SelectFile.empty()) {
    if (!readSelection(SelectFile, Select, errs()))
      return Failed;
    O->Select = &Select;
  }
  O->Functions = Functions;
  O->ShowErrors = ShowErrors;
  if (Threads == 0)
    return fail("-j needs at least 1");
  O->Threads = Threads;
  if (MinSize.getNumOccurrences() != 0) {
    if (!Functions)
      return fail("--min-size says what --functions leaves out; give "
                  "--functions too");
    O->MinSize = MinSize;
  }
  std::optional<loopscope::JudgedFunctions> Earlier;
  if (!FunctionsFrom.empty()) {
    if (!Functions)
      return fail("--functions-from says what --functions leaves out; give "
                  "--functions too");
    Result<loopscope::JudgedFunctions> Read = earlierFunctions();
    if (!Read)
      return fail(Read.error().Message);
    Earlier = std::move(*Read);
    O->Earlier = &*Earlier;
  }
  if (PrintSummary && !Functions)
    return fail("--summary counts what --functions did; give --functions too");
  O->Summary = PrintSummary;
  std::unique_ptr<clang::tooling::CompilationDatabase> DB;
  if (!BuildPath.empty()) {
    std::string Why;
    // Only what the build says: no flags inferred from another file.
    DB = clang::tooling::JSONCompilationDatabase::loadFromFile(
        BuildPath + "/compile_commands.json", Why,
        clang::tooling::JSONCommandLineSyntax::AutoDetect);
    if (!DB)
      return fail("cannot read " + BuildPath + "/compile_commands.json: " +
                  StringRef(Why).split('\n').first);
  }
  std::vector<Job> Jobs;
  for (const std::string &File : Files) {
    if (std::string Why = whyUnreadable(File); !Why.empty())
      return fail(Twine("cannot read '") + File + "': " + Why);
    Result<std::vector<Job>> Each = jobsFor(File, DB.get(), Flags);
    if (!Each)
      return fail(Each.error().Message);
    Jobs.insert(Jobs.end(), Each->begin(), Each->end());
  }
  // Nobody has marked these sources, so they must be parsed as they are.
  if ((Suggest || !SelectFile.empty()) && !DB && !CompilerCommand)
    addCompilerHeaders(Jobs);
  bool Good = instrument(Jobs, *O, outs(), errs());
  outs().flush();
  if (std::error_code Why = outs().error()) {
    outs().clear_error();
    fail("cannot write to standard output: " + Why.message());
    return Refused;
  }
  return Good ? Fine : Refused;
}
