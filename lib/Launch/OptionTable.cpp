//===- OptionTable.cpp - What compiler options look like and mean ---------===//
//
// The tables are data. An option that is missing from them is taken for a flag
// that says nothing about what the source means, which is right for nearly all
// of -f, -m, -W, -g and -O.
//
//===----------------------------------------------------------------------===//

#include "Launch/OptionTable.h"

#include <algorithm>
#include <array>
#include <span>

namespace loopscope::launch {
namespace {

enum Form : unsigned {
  Flag = 0,
  Separate = 1, ///< -o FILE
  Joined = 2,   ///< -oFILE
  Equals = 4,   ///< -std=X
  Any = 8       ///< A flag that goes on in any way: -mavx512f
};

struct Spec {
  std::string_view Name;
  unsigned Forms;
  // Rows may leave them out, and GCC wants to see that.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::string_view Canonical = {};
  unsigned Uses = 0; ///< ParseUse
};

constexpr unsigned Both = Separate | Joined;
constexpr unsigned Assigned = Separate | Equals;

constexpr auto HostOptions = std::to_array<Spec>({
    {"-o", Both},
    {"-I", Both, {}, Kept | KeptPath},
    {"-D", Both, {}, Kept},
    {"-U", Both, {}, Kept},
    {"-L", Both},
    {"-l", Both},
    {"-x", Both},
    {"-B", Both, {}, Asked},
    {"-T", Both},
    {"-u", Both},
    {"-A", Both},
    {"-z", Separate},
    {"-e", Separate},
    {"-h", Separate},
    {"-G", Separate},
    {"-include", Separate, {}, Kept | KeptPath},
    {"-include-pch", Separate},
    {"-imacros", Separate, {}, Kept | KeptPath},
    {"-isystem", Both, {}, Kept | KeptPath},
    {"-iquote", Both, {}, Kept | KeptPath},
    {"-idirafter", Both, {}, Kept | KeptPath},
    {"-iprefix", Both},
    {"-iwithprefix", Both},
    {"-iwithprefixbefore", Both},
    {"-isysroot", Both, {}, Asked},
    {"-imultilib", Separate},
    {"-cxx-isystem", Separate, {}, Kept},
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
    {"-target", Separate, "--target", Asked},
    {"--target", Assigned, {}, Asked},
    {"--param", Assigned},
    {"--sysroot", Assigned, {}, Asked},
    {"-std", Equals},
    {"--std", Assigned, "-std"},
    {"-stdlib", Equals, {}, Asked},
    {"-resource-dir", Assigned},
    {"--gcc-toolchain", Equals, {}, Asked},
    {"-gcc-toolchain", Separate, "--gcc-toolchain", Asked},
    {"--serialize-diagnostics", Separate},
    {"-aux-info", Separate},
    {"-dumpbase", Separate},
    {"-dumpbase-ext", Separate},
    {"-dumpdir", Separate},
    {"-wrapper", Separate},
    {"-working-directory", Assigned},
    {"-framework", Separate},
    {"-fexceptions", Flag, {}, Kept},
    {"-fno-exceptions", Flag, {}, Kept},
    {"-fcxx-exceptions", Flag, {}, Kept},
    {"-fno-cxx-exceptions", Flag, {}, Kept},
    {"-frtti", Flag, {}, Kept},
    {"-fno-rtti", Flag, {}, Kept},
    {"-fsigned-char", Flag, {}, Kept},
    {"-funsigned-char", Flag, {}, Kept},
    {"-fno-signed-char", Flag, {}, Kept},
    {"-fno-unsigned-char", Flag, {}, Kept},
    {"-fshort-enums", Flag, {}, Kept},
    {"-fno-short-enums", Flag, {}, Kept},
    {"-fshort-wchar", Flag, {}, Kept},
    {"-fno-short-wchar", Flag, {}, Kept},
    {"-fopenmp-simd", Flag, {}, Kept},
    {"-fno-openmp-simd", Flag, {}, Kept},
    {"-fno-openmp", Flag, {}, Kept},
    {"-fchar8_t", Flag, {}, Kept},
    {"-fno-char8_t", Flag, {}, Kept},
    {"-faligned-new", Flag, {}, Kept},
    {"-fno-aligned-new", Flag, {}, Kept},
    {"-fsized-deallocation", Flag, {}, Kept},
    {"-fno-sized-deallocation", Flag, {}, Kept},
    {"-fthreadsafe-statics", Flag, {}, Kept},
    {"-fno-threadsafe-statics", Flag, {}, Kept},
    {"-fms-extensions", Flag, {}, Kept},
    {"-fno-ms-extensions", Flag, {}, Kept},
    {"-fms-compatibility", Flag, {}, Kept},
    {"-fdeclspec", Flag, {}, Kept},
    {"-fgnu89-inline", Flag, {}, Kept},
    {"-fno-gnu89-inline", Flag, {}, Kept},
    {"-fasm", Flag, {}, Kept},
    {"-fno-asm", Flag, {}, Kept},
    {"-fgnu-keywords", Flag, {}, Kept},
    {"-fno-gnu-keywords", Flag, {}, Kept},
    {"-fbuiltin", Flag, {}, Kept},
    {"-ffreestanding", Flag, {}, Kept},
    {"-fhosted", Flag, {}, Kept},
    {"-fblocks", Flag, {}, Kept},
    {"-fwrapv", Flag, {}, Kept},
    {"-fno-wrapv", Flag, {}, Kept},
    {"-fdelayed-template-parsing", Flag, {}, Kept},
    {"-fdollars-in-identifiers", Flag, {}, Kept},
    {"-fno-dollars-in-identifiers", Flag, {}, Kept},
    {"-foperator-names", Flag, {}, Kept},
    {"-fno-operator-names", Flag, {}, Kept},
    {"-fno-access-control", Flag, {}, Kept},
    {"-fno-elide-constructors", Flag, {}, Kept},
    {"-fno-inline", Flag, {}, Kept},
    {"-flax-vector-conversions", Flag, {}, Kept},
    {"-fno-lax-vector-conversions", Flag, {}, Kept},
    {"-ffixed-point", Flag, {}, Kept},
    {"-fenable-matrix", Flag, {}, Kept},
    {"-fexperimental-library", Flag, {}, Kept},
    {"-fstrict-enums", Flag, {}, Kept},
    {"-ffast-math", Flag, {}, Kept},
    {"-fno-fast-math", Flag, {}, Kept},
    {"-funsafe-math-optimizations", Flag, {}, Kept},
    {"-ffinite-math-only", Flag, {}, Kept},
    {"-fno-finite-math-only", Flag, {}, Kept},
    {"-fmath-errno", Flag, {}, Kept},
    {"-fno-math-errno", Flag, {}, Kept},
    {"-frounding-math", Flag, {}, Kept},
    {"-fstack-protector", Flag, {}, Kept},
    {"-fstack-protector-all", Flag, {}, Kept},
    {"-fstack-protector-strong", Flag, {}, Kept},
    {"-fpic", Flag, {}, Kept},
    {"-fPIC", Flag, {}, Kept},
    {"-fpie", Flag, {}, Kept},
    {"-fPIE", Flag, {}, Kept},
    {"-fno-pic", Flag, {}, Kept},
    {"-fno-PIC", Flag, {}, Kept},
    {"-fno-pie", Flag, {}, Kept},
    {"-fno-PIE", Flag, {}, Kept},
    {"-fpack-struct", Flag, {}, Kept},
    {"-undef", Flag, {}, Kept},
    {"-trigraphs", Flag, {}, Kept},
    {"-mms-bitfields", Flag, {}, Kept},
    {"-mlong-double-64", Flag, {}, Kept},
    {"-mlong-double-80", Flag, {}, Kept},
    {"-mlong-double-128", Flag, {}, Kept},
    {"-malign-double", Flag, {}, Kept},
    {"-mgeneral-regs-only", Flag, {}, Kept},
    {"-msoft-float", Flag, {}, Kept},
    {"-mthumb", Flag, {}, Kept},
    {"-marm", Flag, {}, Kept},
    {"-ansi", Flag, {}, Kept | Asked},
    {"-fopenmp", Flag, {}, Kept | Asked},
    {"-pthread", Flag, {}, Kept | Asked},
    {"-m32", Flag, {}, Kept | Asked},
    {"-m64", Flag, {}, Kept | Asked},
    {"-mx32", Flag, {}, Kept | Asked},
    {"-nostdinc", Flag, {}, Asked},
    {"-nostdinc++", Flag, {}, Asked},
    {"-ftemplate-depth=", Any, {}, Kept},
    {"-fconstexpr-depth=", Any, {}, Kept},
    {"-fconstexpr-steps=", Any, {}, Kept},
    {"-fbracket-depth=", Any, {}, Kept},
    {"-foperator-arrow-depth=", Any, {}, Kept},
    {"-fno-builtin", Any, {}, Kept},
    {"-fopenmp=", Any, {}, Kept},
    {"-fopenmp-version=", Any, {}, Kept},
    {"-fcf-protection", Any, {}, Kept},
    {"-fpack-struct=", Any, {}, Kept},
    {"-fms-compatibility-version=", Any, {}, Kept},
    {"-fgnuc-version=", Any, {}, Kept},
    {"-fnew-alignment=", Any, {}, Kept},
    {"-fclang-abi-compat=", Any, {}, Kept},
    {"-flax-vector-conversions=", Any, {}, Kept},
    {"-march=", Any, {}, Kept},
    {"-mcpu=", Any, {}, Kept},
    {"-mabi=", Any, {}, Kept},
    {"-mfpu=", Any, {}, Kept},
    {"-mfloat-abi=", Any, {}, Kept},
});

/// Instruction sets, as in -mNAME... and -mno-NAME...: they define macros that
/// sources ask for. Only those that both compilers have.
constexpr auto InstructionSets = std::to_array<std::string_view>({
    "mmx",        "sse",       "ssse3",   "avx",        "fma",      "f16c",
    "bmi",        "lzcnt",     "popcnt",  "aes",        "pclmul",   "sha",
    "rdrnd",      "rdseed",    "rdpid",   "movbe",      "amx-",     "fsgsbase",
    "prfchw",     "prefetchi", "vaes",    "vpclmulqdq", "gfni",     "xsave",
    "rtm",        "serialize", "waitpkg", "ptwrite",    "cldemote", "movdir",
    "clflushopt", "clwb",      "clzero",  "lwp",        "tbm",      "xop",
    "sahf",       "cx16",      "crc32",   "sgx",        "pku",      "shstk",
    "wbnoinvd",   "mwaitx",    "adx",
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
    bool Fits = Rest.empty() || (Each.Forms & (Joined | Any)) != 0 ||
                ((Each.Forms & Equals) != 0 && Rest.front() == '=');
    // An option that only takes "=" isn't itself without it.
    if (Rest.empty() && Each.Forms == Equals)
      Fits = false;
    if (Fits && (!Best || Each.Name.size() > Best->Name.size()))
      Best = &Each;
  }
  return Best;
}

bool isInstructionSet(std::string_view Word) {
  if (!Word.starts_with("-m"))
    return false;
  Word.remove_prefix(Word.starts_with("-mno-") ? 5 : 2);
  return std::ranges::any_of(InstructionSets, [&](std::string_view Name) {
    return Word.starts_with(Name);
  });
}

/// nvcc hands some of its options to the host compiler, whose table says what
/// they mean to a parse.
unsigned usesOf(const Spec *Found, std::string_view Name) {
  if (Found && Found->Uses != 0)
    return Found->Uses;
  const Spec *Host = match(HostOptions, Name);
  return Host && Host->Name == Name ? Host->Uses : 0;
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
    return {Word, "", Index, 1, isInstructionSet(Word) ? Kept : 0U};
  if (Found->Forms == Any)
    return {Word, "", Index, 1, Found->Uses};
  std::string Name(Found->Canonical.empty() ? Found->Name : Found->Canonical);
  unsigned Uses = usesOf(Found, Name);
  std::string_view Rest = std::string_view(Word).substr(Found->Name.size());
  if (!Rest.empty()) {
    if ((Found->Forms & Equals) != 0 && Rest.front() == '=')
      Rest.remove_prefix(1);
    return {std::move(Name), std::string(Rest), Index, 1, Uses};
  }
  if ((Found->Forms & Separate) != 0 && Index + 1 < Args.size())
    return {std::move(Name), Args[Index + 1], Index, 2, Uses};
  return {std::move(Name), "", Index, 1, Uses};
}

} // namespace loopscope::launch
