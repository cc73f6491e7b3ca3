// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of gcc and clang.
//
// An option that isn't listed is unknown: the rewriter parses without it and
// warns.

#include "Launch/OptionSpecs.h"

#include <algorithm>
#include <array>

namespace loopscope::launch {
namespace {

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
    {"-imacros", Separate, {}, Kept | KeptPath},
    {"-isystem", Both, {}, Kept | KeptPath},
    {"-iquote", Both, {}, Kept | KeptPath},
    {"-idirafter", Both, {}, Kept | KeptPath},
    {"--embed-dir", Equals, {}, Kept | KeptPath},
    {"-isysroot", Both, {}, Asked},
    {"-imultilib", Separate},
    {"-cxx-isystem", Separate, {}, Kept},
    {"-MF", Both},
    {"-MT", Both},
    {"-MQ", Both},
    {"-MJ", Both},
    {"-Xlinker", Separate},
    {"-Xassembler", Separate},
    {"-Xarch_host", Separate, {}, Unknown},
    {"-Xarch_device", Separate},
    {"-Xopenmp-target", Separate},
    {"-mllvm", Separate},
    {"-arch", Separate},
    {"-target", Separate, "--target", Asked},
    {"--target", Assigned, {}, Asked},
    {"--param", Assigned},
    {"--sysroot", Assigned, {}, Asked},
    {"-std", Equals, {}, Translated},
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
    {"-working-directory", Assigned, {}, Unknown},
    {"-framework", Separate},
    {"-fexceptions", Flag, {}, Kept},
    {"-fmodule-file=", Any, {}, Kept},
    {"-fprebuilt-module-path=", Any, {}, Kept},
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
    {"-faligned-new=", Any, {}, Kept},
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
    {"-fcoroutines", Flag, {}, Kept},
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
    {"-fconstexpr-ops-limit=", Any, {}, Translated},
    {"-fconcepts", Flag, {}, Translated},
    {"-fsanitize=", Any, {}, Translated},
    {"-O", Any, {}, Translated},
    {"-Wp,", Any, {}, Translated},
    {"-Xpreprocessor", Separate, {}, Translated},
    {"-Xclang", Separate, {}, Translated},
    {"-iprefix", Both, {}, Unknown},
    {"-iwithprefix", Both, {}, Unknown},
    {"-iwithprefixbefore", Both, {}, Unknown},
    {"-include-pch", Separate, {}, Unknown},
    {"-ivfsoverlay", Separate, {}, Unknown},
    {"-specs", Equals | Separate, {}, Asked},
    {"--specs", Equals | Separate, {}, Asked},
    {"-W", Any},
    {"-g", Any},
    {"-d", Any},
    {"-save-temps", Any},
    {"--save-temps", Any},
    {"-pedantic", Any},
    {"-static", Any},
    {"-shared", Any},
    {"-nolib", Any},
    {"-print-", Any},
    {"--print-", Any},
    {"-fuse-ld=", Any},
    {"-rtlib=", Any},
    {"--rtlib=", Any},
    {"-unwindlib=", Any},
    {"--unwindlib=", Any},
    {"--offload-arch=", Any},
    {"--no-offload-arch=", Any},
    {"--cuda-", Any},
    {"--no-cuda-", Any},
    {"--help", Any},
    {"-Q", Any},
    {"-c", Flag},
    {"-S", Flag},
    {"-E", Flag},
    {"-C", Flag},
    {"-CC", Flag},
    {"-P", Flag},
    {"-H", Flag},
    {"-M", Flag},
    {"-MM", Flag},
    {"-MD", Flag},
    {"-MMD", Flag},
    {"-MG", Flag},
    {"-MP", Flag},
    {"-p", Flag},
    {"-pg", Flag},
    {"-pipe", Flag},
    {"-pie", Flag},
    {"-no-pie", Flag},
    {"-nopie", Flag},
    {"-r", Flag},
    {"-rdynamic", Flag},
    {"-s", Flag},
    {"-t", Flag},
    {"-v", Flag},
    {"-w", Flag},
    {"-nostdlib", Flag},
    {"-nostdlib++", Flag},
    {"-nodefaultlibs", Flag},
    {"-nostartfiles", Flag},
    {"-no-canonical-prefixes", Flag},
    {"-canonical-prefixes", Flag},
    {"-no-integrated-cpp", Flag},
    {"-pass-exit-codes", Flag},
    {"-integrated-as", Flag},
    {"-no-integrated-as", Flag},
    {"-time", Flag},
    {"-coverage", Flag},
    {"--coverage", Flag},
    {"-emit-llvm", Flag},
    {"-emit-ast", Flag},
    {"--analyze", Flag},
    {"--precompile", Flag},
    {"--version", Flag},
    {"-###", Flag},
    {"-nocudainc", Flag},
    {"-nocudalib", Flag},
    {"--start-no-unused-arguments", Flag},
    {"--end-no-unused-arguments", Flag},
});

/// Instruction sets, as in -mNAME... and -mno-NAME...: they define macros that
/// sources test. Only those that both compilers have.
constexpr std::string_view InstructionSets =
    "mmx sse ssse3 avx fma f16c bmi lzcnt popcnt aes pclmul sha rdrnd "
    "rdseed rdpid movbe amx- fsgsbase prfchw prefetchi vaes vpclmulqdq gfni "
    "xsave rtm serialize waitpkg ptwrite cldemote movdir clflushopt clwb "
    "clzero lwp tbm xop sahf cx16 crc32 sgx pku shstk wbnoinvd mwaitx adx";

/// Options -fNAME... and -fno-NAME... for the optimiser, the code generator,
/// the linker or the compiler's messages. Those for making modules are
/// included: module units are left alone.
constexpr std::string_view NeutralF =
    "abi-compat-version abi-version access-control addrsig aggressive-loop "
    "align- "
    "allocation-dce allow-store analyzer ansi-escape argument- asan- "
    "associative-math asynchronous auto- basic-block binutils bit-tests "
    "branch- btr- call- caller-saves callgraph canonical-system caret "
    "check- checking code-hoisting codegen- color-diagnostics combine- "
    "common compare- conserve- constexpr-backtrace constexpr-cache "
    "constexpr-fp-except constexpr-loop-limit coverage- cprop crash- "
    "crossjumping cs-profile "
    "cse- cx- data-sections dbg- dce debug- declone- default-inline "
    "defer-pop delayed-branch delete- deps- devirtualize diagnostics- "
    "direct-access directives-only discard-value dse dump- dwarf "
    "early-inlining eliminate- elide-constructors elide-type embed- emit- "
    "emulated-tls "
    "enforce-eh excess-precision exec-charset expensive- extended-identifiers "
    "extern-tls "
    "fat-lto file- finite-loops float-store fold- force- forward-prop fp- "
    "function- gcse global-isel gnu-unique graphite guess-branch "
    "handle-exceptions harden "
    "hoist- honor- ident if-conversion implement-inlines implicit-inline "
    "implicit-templates indirect-inlining inhibit-size init- inline "
    "instrument- integrated- ipa- ira- isolate- ivopts jump-tables keep- "
    "large-source leading-underscore lifetime-dse limit- live- loop- lra- "
    "lto macro-backtrace macro-prefix malloc-dce max- mem-report "
    "memory-profile merge- message-length modulo- module move-loop "
    "new-inheriting non-call nonansi nothrow-opt offload omit-frame "
    "openmp-targets opt-info optimization-record optimize- optional-diags "
    "partial-inlining partition- pass-plugin patchable- pcc-struct pch- "
    "peel- peephole plt plugin post-ipa pre-ipa prebuilt- predictive "
    "prefetch- pretty-templates printf-return proc-stat profile "
    "pseudo-probe random reciprocal-math record- ree reg-struct register- "
    "regmove rename- reorder- report-bug rerun- reschedule rounding-math "
    "rtlib- safe-buffer sanitize save- sched section-anchors sel-sched "
    "selective- semantic-inter separate- show- shrink-wrap signaling-nans "
    "signed-zeros simd-cost single-precision slp- spell- split- ssa- stack- "
    "standalone-debug stats stdarg-opt store-merging strength- "
    "strict-aliasing strict-enums strict-flex strict-float strict-overflow "
    "strict-return strict-volatile strict-vtable strong-eval strub "
    "sync-libcalls syntax-only tabstop template-backtrace temporal- "
    "test-coverage thin thread-jumps time- tls-model toplevel- tracer "
    "track-macro trampolines trap tree- trivial-auto unconstrained "
    "unified-lto unique- unit-at unreachable-traps unroll- unsafe- "
    "unswitch- unwind-tables use-cxa use-init use-ld use-linker validate- "
    "var-tracking variable-exp vect veclib verbose-asm verify- "
    "version-loops virtual-function visibility vpt vtable vtv weak web "
    "whole-program wide-exec working-directory wrapv-pointer xray zero-";

/// The same for -mNAME... and -mno-NAME...
constexpr std::string_view NeutralM =
    "8bit-idiv accumulate- align- asm= branch-cost branches-within "
    "call-ms2sysv cet-switch cld cmodel direct-extern dispatch- dump-tune "
    "fancy-math fentry force- fp-ret fpmath function-return gather "
    "harden-sls ieee-fp implicit-float incoming-stack indirect-branch "
    "inline- instrument-return large-data llvm lvi- manual-endbr memcpy "
    "memset mitigate move-max needed noop-mcount nop-mcount omit-leaf "
    "outline pc32 pc64 pc80 prefer preferred-stack push-args recip record- "
    "red-zone regparm relax retpoline rtd scatter skip-rax speculative-load "
    "stack store-max stringop strict-align stv tls tune unaligned vect8 "
    "veclibabi vzeroupper";

/// Whether WORD consists of LETTER, possibly "no-", and the beginning of an
/// option that is one of NAMES or starts with it.
bool beginsLikeOne(std::string_view Word, std::string_view Letter,
                   std::string_view Names) {
  if (!Word.starts_with(Letter))
    return false;
  Word.remove_prefix(Letter.size());
  if (Word.starts_with("no-"))
    Word.remove_prefix(3);
  while (!Names.empty()) {
    std::string_view Name = Names.substr(0, Names.find(' '));
    if (Word.starts_with(Name))
      return true;
    Names.remove_prefix(std::min(Name.size() + 1, Names.size()));
  }
  return false;
}

} // namespace

std::span<const Spec> hostOptions() { return HostOptions; }

unsigned usesOfFlag(std::string_view Word) {
  if (beginsLikeOne(Word, "-m", InstructionSets))
    return Kept;
  bool Neutral = beginsLikeOne(Word, "-f", NeutralF) ||
                 beginsLikeOne(Word, "-m", NeutralM);
  return Neutral ? 0U : Unknown;
}

} // namespace loopscope::launch
