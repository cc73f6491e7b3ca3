//===- OptionTable.cpp - Which compiler options take a value --------------===//
//
// The tables are data. An option that is missing from them is taken for a flag,
// which is right for nearly all of -f, -m, -W, -g and -O.
//
//===----------------------------------------------------------------------===//

#include "Launch/OptionTable.h"

#include <array>
#include <span>

namespace loopscope::launch {
namespace {

enum Form : unsigned {
  Flag = 0,
  Separate = 1, ///< -o FILE
  Joined = 2,   ///< -oFILE
  Equals = 4    ///< -std=X
};

struct Spec {
  std::string_view Name;
  unsigned Forms;
  // Rows may leave it out, and GCC wants to see that.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::string_view Canonical = {};
};

constexpr unsigned Both = Separate | Joined;
constexpr unsigned Assigned = Separate | Equals;

constexpr auto HostOptions = std::to_array<Spec>({
    {"-o", Both},
    {"-I", Both},
    {"-D", Both},
    {"-U", Both},
    {"-L", Both},
    {"-l", Both},
    {"-x", Both},
    {"-B", Both},
    {"-T", Both},
    {"-u", Both},
    {"-A", Both},
    {"-z", Separate},
    {"-e", Separate},
    {"-h", Separate},
    {"-G", Separate},
    {"-include", Separate},
    {"-include-pch", Separate},
    {"-imacros", Separate},
    {"-isystem", Both},
    {"-iquote", Both},
    {"-idirafter", Both},
    {"-iprefix", Both},
    {"-iwithprefix", Both},
    {"-iwithprefixbefore", Both},
    {"-isysroot", Both},
    {"-imultilib", Separate},
    {"-cxx-isystem", Separate},
    {"-ivfsoverlay", Separate},
    {"-MF", Both},
    {"-MT", Both},
    {"-MQ", Both},
    {"-MJ", Both},
    {"-Xlinker", Separate},
    {"-Xassembler", Separate},
    {"-Xpreprocessor", Separate},
    {"-Xclang", Separate},
    {"-Xarch_host", Separate},
    {"-Xarch_device", Separate},
    {"-Xopenmp-target", Separate},
    {"-mllvm", Separate},
    {"-arch", Separate},
    {"-target", Separate, "--target"},
    {"--target", Assigned},
    {"--param", Assigned},
    {"--sysroot", Assigned},
    {"-std", Equals},
    {"--std", Assigned, "-std"},
    {"-stdlib", Equals},
    {"-resource-dir", Assigned},
    {"--gcc-toolchain", Equals},
    {"-gcc-toolchain", Separate, "--gcc-toolchain"},
    {"--serialize-diagnostics", Separate},
    {"-aux-info", Separate},
    {"-dumpbase", Separate},
    {"-dumpbase-ext", Separate},
    {"-dumpdir", Separate},
    {"-wrapper", Separate},
    {"-working-directory", Assigned},
    {"-framework", Separate},
});

constexpr auto NvccOptions = std::to_array<Spec>({
    {"-o", Assigned},
    {"--output-file", Assigned, "-o"},
    {"-I", Both | Equals},
    {"--include-path", Assigned, "-I"},
    {"-isystem", Assigned},
    {"--system-include", Assigned, "-isystem"},
    {"-include", Assigned},
    {"--pre-include", Assigned, "-include"},
    {"-D", Both | Equals},
    {"--define-macro", Assigned, "-D"},
    {"-U", Both | Equals},
    {"--undefine-macro", Assigned, "-U"},
    {"-L", Both | Equals},
    {"--library-path", Assigned, "-L"},
    {"-l", Both | Equals},
    {"--library", Assigned, "-l"},
    {"-lineinfo", Flag},
    {"-lib", Flag},
    {"--lib", Flag, "-lib"},
    {"-link", Flag},
    {"--link", Flag, "-link"},
    {"-ldir", Assigned},
    {"-x", Both | Equals},
    {"--x", Assigned, "-x"},
    {"-std", Assigned},
    {"--std", Assigned, "-std"},
    {"-MF", Assigned},
    {"--dependency-output", Assigned, "-MF"},
    {"-MT", Assigned},
    {"--dependency-target-name", Assigned, "-MT"},
    {"-MD", Flag},
    {"--generate-dependencies-with-compile", Flag, "-MD"},
    {"-MMD", Flag},
    {"--generate-nonsystem-dependencies-with-compile", Flag, "-MMD"},
    {"-M", Flag},
    {"--generate-dependencies", Flag, "-M"},
    {"-MM", Flag},
    {"--generate-nonsystem-dependencies", Flag, "-MM"},
    {"-c", Flag},
    {"--compile", Flag, "-c"},
    {"-dc", Flag},
    {"--device-c", Flag, "-dc"},
    {"-dw", Flag},
    {"--device-w", Flag, "-dw"},
    {"-dlink", Flag},
    {"--device-link", Flag, "-dlink"},
    {"-E", Flag},
    {"--preprocess", Flag, "-E"},
    {"-cuda", Flag},
    {"--cuda", Flag, "-cuda"},
    {"-cubin", Flag},
    {"--cubin", Flag, "-cubin"},
    {"-fatbin", Flag},
    {"--fatbin", Flag, "-fatbin"},
    {"-ptx", Flag},
    {"--ptx", Flag, "-ptx"},
    {"-optix-ir", Flag},
    {"--optix-ir", Flag, "-optix-ir"},
    {"-ltoir", Flag},
    {"--ltoir", Flag, "-ltoir"},
    {"-run", Flag},
    {"--run", Flag, "-run"},
    {"-dryrun", Flag},
    {"--dryrun", Flag, "-dryrun"},
    {"-ccbin", Assigned},
    {"--compiler-bindir", Assigned, "-ccbin"},
    {"-Xcompiler", Assigned},
    {"--compiler-options", Assigned, "-Xcompiler"},
    {"-Xlinker", Assigned},
    {"--linker-options", Assigned, "-Xlinker"},
    {"-Xarchive", Assigned},
    {"--archive-options", Assigned},
    {"-Xptxas", Assigned},
    {"--ptxas-options", Assigned},
    {"-Xnvlink", Assigned},
    {"--nvlink-options", Assigned},
    {"-Xcudafe", Assigned},
    {"-arch", Assigned},
    {"--gpu-architecture", Assigned, "-arch"},
    {"-code", Assigned},
    {"--gpu-code", Assigned, "-code"},
    {"-gencode", Assigned},
    {"--generate-code", Assigned, "-gencode"},
    {"-rdc", Assigned},
    {"--relocatable-device-code", Assigned, "-rdc"},
    {"-default-stream", Assigned},
    {"--default-stream", Assigned, "-default-stream"},
    {"-extended-lambda", Flag},
    {"--extended-lambda", Flag, "-extended-lambda"},
    {"-expt-extended-lambda", Flag, "-extended-lambda"},
    {"--expt-extended-lambda", Flag, "-extended-lambda"},
    {"-expt-relaxed-constexpr", Flag},
    {"--expt-relaxed-constexpr", Flag, "-expt-relaxed-constexpr"},
    {"-odir", Assigned},
    {"--output-directory", Assigned, "-odir"},
    {"-optf", Assigned},
    {"--options-file", Assigned, "-optf"},
    {"-m", Assigned},
    {"--machine", Assigned, "-m"},
    {"-maxrregcount", Assigned},
    {"--maxrregcount", Assigned},
    {"-cudart", Assigned},
    {"--cudart", Assigned},
    {"-cudadevrt", Assigned},
    {"--cudadevrt", Assigned},
    {"-target-dir", Assigned},
    {"--target-directory", Assigned},
    {"-libdevice-directory", Assigned},
    {"-Werror", Assigned},
    {"--Werror", Assigned},
    {"-fmad", Assigned},
    {"--fmad", Assigned},
    {"-ftz", Assigned},
    {"--ftz", Assigned},
    {"-prec-div", Assigned},
    {"--prec-div", Assigned},
    {"-prec-sqrt", Assigned},
    {"--prec-sqrt", Assigned},
    {"-t", Assigned},
    {"--threads", Assigned},
    {"-split-compile", Assigned},
    {"--split-compile", Assigned},
    {"-diag-error", Assigned},
    {"--diag-error", Assigned},
    {"-diag-suppress", Assigned},
    {"--diag-suppress", Assigned},
    {"-diag-warn", Assigned},
    {"--diag-warn", Assigned},
    {"-O", Both | Equals},
    {"--optimize", Assigned, "-O"},
    {"-Ofc", Assigned},
    {"--Ofast-compile", Assigned},
    {"-keep-dir", Assigned},
    {"--keep-dir", Assigned},
    {"-run-args", Assigned},
    {"--run-args", Assigned},
    {"-e", Assigned},
    {"--entries", Assigned},
    {"-idp", Assigned},
    {"-ddp", Assigned},
    {"-time", Assigned},
    {"--time", Assigned},
    {"-brief-diag", Assigned},
    {"--brief-diagnostics", Assigned},
});

/// The longest of SPECS that WORD may be a use of, or null.
const Spec *match(std::span<const Spec> Specs, std::string_view Word) {
  const Spec *Best = nullptr;
  for (const Spec &Each : Specs) {
    if (!Word.starts_with(Each.Name))
      continue;
    std::string_view Rest = Word.substr(Each.Name.size());
    bool Fits = Rest.empty() || (Each.Forms & Joined) != 0 ||
                ((Each.Forms & Equals) != 0 && Rest.front() == '=');
    // An option that only takes "=" isn't itself without it.
    if (Rest.empty() && Each.Forms == Equals)
      Fits = false;
    if (Fits && (!Best || Each.Name.size() > Best->Name.size()))
      Best = &Each;
  }
  return Best;
}

} // namespace

Option readOption(const std::vector<std::string> &Args, std::size_t Index,
                  Family Kind) {
  const std::string &Word = Args[Index];
  std::span<const Spec> Specs = HostOptions;
  if (Kind == Family::Nvcc)
    Specs = NvccOptions;
  const Spec *Found = match(Specs, Word);
  if (!Found && Kind == Family::Nvcc)
    Found = match(HostOptions, Word); // Forwarded to the host compiler.
  if (!Found)
    return {Word, "", Index, 1};
  std::string Name(Found->Canonical.empty() ? Found->Name : Found->Canonical);
  std::string_view Rest = std::string_view(Word).substr(Found->Name.size());
  if (!Rest.empty()) {
    if ((Found->Forms & Equals) != 0 && Rest.front() == '=')
      Rest.remove_prefix(1);
    return {std::move(Name), std::string(Rest), Index, 1};
  }
  if ((Found->Forms & Separate) != 0 && Index + 1 < Args.size())
    return {std::move(Name), Args[Index + 1], Index, 2};
  return {std::move(Name), "", Index, 1};
}

} // namespace loopscope::launch
