// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libdw's interface, declared here; it has been stable since 2005.

#include "Symbols/Dwarf.h"

#include "Symbols/Demangle.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <iterator>
#include <map>
#include <vector>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// As declared in elfutils/libdw.h and libdwfl.h; tests compare them.
struct Die {
  void *Address;
  void *Unit;
  void *Abbreviation;
  long Padding;
};
struct Attribute {
  unsigned Code;
  unsigned Form;
  unsigned char *Value;
  void *Unit;
};
struct Callbacks {
  void *FindElf;
  void *FindDebugInfo;
  void *SectionAddress;
  char **DebugInfoPath;
};
using Address = uint64_t;

// The DWARF constants that we use.
constexpr int TagClass = 0x02, TagBlock = 0x0b, TagStruct = 0x13,
              TagInlined = 0x1d, TagFunction = 0x2e, TagNamespace = 0x39;
constexpr unsigned AtName = 0x03, AtLanguage = 0x13, AtFolder = 0x1b,
                   AtOrigin = 0x31, AtArtificial = 0x34, AtDeclFile = 0x3a,
                   AtSpecification = 0x47, AtVirtuality = 0x4c,
                   AtCallFile = 0x58, AtCallLine = 0x59, AtLinkageName = 0x6e,
                   AtMipsLinkageName = 0x2007;

// Functions of the library. X(RESULT, NAME, PARAMETERS)
#define LOOPSCOPE_LIBDW(X)                                                     \
  X(void *, dwfl_begin, (const Callbacks *))                                   \
  X(void, dwfl_end, (void *))                                                  \
  X(void, dwfl_report_begin, (void *))                                         \
  X(void *, dwfl_report_elf,                                                   \
    (void *, const char *, const char *, int, Address, bool))                  \
  X(int, dwfl_report_end, (void *, void *, void *))                            \
  X(Die *, dwfl_module_addrdie, (void *, Address, Address *))                  \
  X(Die *, dwfl_module_nextcu, (void *, Die *, Address *))                     \
  X(const char *, dwfl_module_addrinfo,                                        \
    (void *, Address, uint64_t *, Elf64_Sym *, uint32_t *, void **,            \
     Address *))                                                               \
  X(int, dwarf_haspc, (Die *, Address))                                        \
  X(int, dwarf_getscopes, (Die *, Address, Die **))                            \
  X(int, dwarf_getscopes_die, (Die *, Die **))                                 \
  X(int, dwarf_tag, (Die *))                                                   \
  X(int, dwarf_child, (Die *, Die *))                                          \
  X(int, dwarf_siblingof, (Die *, Die *))                                      \
  X(ptrdiff_t, dwarf_ranges,                                                   \
    (Die *, ptrdiff_t, Address *, Address *, Address *))                       \
  X(Attribute *, dwarf_attr_integrate, (Die *, unsigned, Attribute *))         \
  X(const char *, dwarf_formstring, (Attribute *))                             \
  X(int, dwarf_formudata, (Attribute *, uint64_t *))                           \
  X(int, dwarf_formflag, (Attribute *, bool *))                                \
  X(Die *, dwarf_formref_die, (Attribute *, Die *))                            \
  X(const char *, dwarf_decl_file, (Die *))                                    \
  X(int, dwarf_decl_line, (Die *, int *))                                      \
  X(int, dwarf_getsrcfiles, (Die *, void **, size_t *))                        \
  X(const char *, dwarf_filesrc, (void *, size_t, uint64_t *, uint64_t *))     \
  X(void *, dwarf_getsrc_die, (Die *, Address))                                \
  X(int, dwarf_lineno, (void *, int *))                                        \
  X(const char *, dwarf_linesrc, (void *, uint64_t *, uint64_t *))

struct Library {
// NOLINTBEGIN(bugprone-macro-parentheses): of a declaration.
#define LOOPSCOPE_MEMBER_(RESULT, NAME, PARAMETERS)                            \
  RESULT(*NAME) PARAMETERS = nullptr;
  // NOLINTEND(bugprone-macro-parentheses)
  LOOPSCOPE_LIBDW(LOOPSCOPE_MEMBER_)
#undef LOOPSCOPE_MEMBER_
  Callbacks Standard{};
  bool IsThere = false;

  Library() {
    void *Handle = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!Handle)
      return;
    IsThere = true;
    auto Find = [&](const char *Name) {
      void *Found = dlsym(Handle, Name);
      IsThere &= Found != nullptr;
      return Found;
    };
#define LOOPSCOPE_FIND_(RESULT, NAME, PARAMETERS)                              \
  NAME = reinterpret_cast<decltype(NAME)>(Find(#NAME));
    LOOPSCOPE_LIBDW(LOOPSCOPE_FIND_)
#undef LOOPSCOPE_FIND_
    Standard = {Find("dwfl_build_id_find_elf"),
                Find("dwfl_standard_find_debuginfo"),
                Find("dwfl_offline_section_address"), nullptr};
  }
};

const Library &library() {
  static const Library Loaded;
  return Loaded;
}

// An array that the library has allocated.
struct Scopes {
  Die *First = nullptr;
  int Count = 0;
  Scopes() = default;
  Scopes(const Scopes &) = delete;
  Scopes &operator=(const Scopes &) = delete;
  ~Scopes() { std::free(First); }
};

std::string orEmpty(const char *Text) { return Text ? Text : ""; }

class LibdwFile final : public Dwarf {
public:
  LibdwFile(const Library &L, void *Session, void *Module)
      : L(L), Session(Session), Module(Module) {}
  ~LibdwFile() override { L.dwfl_end(Session); }

  std::vector<SourceFrame> framesAt(uint64_t At) override;
  std::string symbolAt(uint64_t At) override {
    uint64_t Offset = 0;
    Elf64_Sym Symbol;
    return orEmpty(L.dwfl_module_addrinfo(Module, At, &Offset, &Symbol, nullptr,
                                          nullptr, nullptr));
  }

private:
  // A function's code, or one of its parts.
  struct FunctionRange {
    Address Begin, End;
    Die Function;
  };

  Die *unitAt(uint64_t At, Address &Bias);
  void addFunctions(Die *Parent, int Depth, std::vector<FunctionRange> &To);
  const std::vector<FunctionRange> &functionsOf(Die *Unit);
  bool scopeAt(Die *Unit, Address At, Die &Found);
  SourceFrame frameOf(Die *Function, bool HasScope, void *Files) const;
  void placeInOuter(const Scopes &Around, int From, void *Files,
                    SourceFrame &Of) const;
  std::string fileAt(void *Files, uint64_t Index) const {
    return Files ? orEmpty(L.dwarf_filesrc(Files, Index, nullptr, nullptr))
                 : "";
  }
  std::string folderOf(Die *Unit) const;
  bool isCxx(Die *Unit) const;
  std::string scopeOf(Die *Function) const;
  std::string nameOf(Die *Function, bool HasScope) const;
  uint64_t numberOf(Die *Of, unsigned Attribute) const;
  bool isArtificial(Die *Function) const;

  const Library &L;
  void *Session;
  void *Module;
  std::map<void *, std::vector<FunctionRange>> Functions; // of units
};

// Clang leaves out the address table, and not every version of the library can
// do without.
Die *LibdwFile::unitAt(uint64_t At, Address &Bias) {
  if (Die *Unit = L.dwfl_module_addrdie(Module, At, &Bias))
    return Unit;
  for (Die *Unit = L.dwfl_module_nextcu(Module, nullptr, &Bias); Unit;
       Unit = L.dwfl_module_nextcu(Module, Unit, &Bias))
    if (L.dwarf_haspc(Unit, At - Bias) > 0)
      return Unit;
  return nullptr;
}

// Namespaces and classes hold functions, too, and functions those that GCC made
// of their OpenMP regions. The depth is bounded, because nobody checked the
// file.
void LibdwFile::addFunctions(Die *Parent, int Depth,
                             std::vector<FunctionRange> &To) {
  constexpr int MostDepth = 32;
  Die Child;
  for (int Is = L.dwarf_child(Parent, &Child); Is == 0;
       Is = L.dwarf_siblingof(&Child, &Child)) {
    int Tag = L.dwarf_tag(&Child);
    if ((Tag == TagNamespace || Tag == TagClass || Tag == TagStruct ||
         Tag == TagFunction || Tag == TagBlock) &&
        Depth < MostDepth)
      addFunctions(&Child, Depth + 1, To);
    if (Tag != TagFunction)
      continue;
    Address Base = 0, Begin = 0, End = 0;
    for (ptrdiff_t Next = 0;
         (Next = L.dwarf_ranges(&Child, Next, &Base, &Begin, &End)) > 0;)
      To.push_back({Begin, End, Child});
  }
}

const std::vector<LibdwFile::FunctionRange> &LibdwFile::functionsOf(Die *Unit) {
  auto [At, IsNew] = Functions.try_emplace(Unit->Address);
  if (IsNew) {
    addFunctions(Unit, 0, At->second);
    std::ranges::sort(At->second, {}, &FunctionRange::Begin);
  }
  return At->second;
}

// Where the compiler ran: names of files may be relative to it.
std::string LibdwFile::folderOf(Die *Unit) const {
  Attribute Found;
  return L.dwarf_attr_integrate(Unit, AtFolder, &Found)
             ? orEmpty(L.dwarf_formstring(&Found))
             : "";
}

// The innermost scope of UNIT around AT. dwarf_getscopes() finds none where an
// inlined function was written in another unit, as after link-time
// optimization.
bool LibdwFile::scopeAt(Die *Unit, Address At, Die &Found) {
  constexpr int MostDepth = 256;
  const std::vector<FunctionRange> &All = functionsOf(Unit);
  auto Next = std::ranges::upper_bound(All, At, {}, &FunctionRange::Begin);
  if (Next == All.begin() || At >= std::prev(Next)->End)
    return false;
  Found = std::prev(Next)->Function;
  for (int Depth = 0; Depth < MostDepth; ++Depth) {
    Die Child;
    int Is = L.dwarf_child(&Found, &Child);
    while (Is == 0 && L.dwarf_haspc(&Child, At) <= 0)
      Is = L.dwarf_siblingof(&Child, &Child);
    if (Is != 0)
      break;
    Found = Child;
  }
  return true;
}

// Whether UNIT is of C++, whose functions have scopes.
bool LibdwFile::isCxx(Die *Unit) const {
  // DW_LANG_C_plus_plus, and those of the standards since 2011.
  constexpr uint64_t Cxx[] = {0x04, 0x1a, 0x21, 0x2b, 0x2c};
  return std::ranges::count(Cxx, numberOf(Unit, AtLanguage)) != 0;
}

// The class and namespaces of FUNCTION, "ns::C<int>::". Compilers leave the
// linker's name, which has them, out of functions that are only inlined.
std::string LibdwFile::scopeOf(Die *Function) const {
  Die At = *Function;
  for (unsigned Each : {AtOrigin, AtSpecification}) {
    Attribute Found;
    Die Declared;
    if (L.dwarf_attr_integrate(&At, Each, &Found) &&
        L.dwarf_formref_die(&Found, &Declared))
      At = Declared;
  }
  Scopes Around;
  Around.Count = L.dwarf_getscopes_die(&At, &Around.First);
  std::string Result;
  for (int I = 1; I < Around.Count; ++I) {
    int Tag = L.dwarf_tag(&Around.First[I]);
    if (Tag != TagNamespace && Tag != TagClass && Tag != TagStruct)
      continue;
    Attribute Found;
    std::string Name;
    if (L.dwarf_attr_integrate(&Around.First[I], AtName, &Found))
      Name = orEmpty(L.dwarf_formstring(&Found));
    Result.insert(0, (Name.empty() ? "(anonymous namespace)" : Name) + "::");
  }
  return Result;
}

std::string LibdwFile::nameOf(Die *Function, bool HasScope) const {
  // The C name, if the linker's name isn't a C++ one: libc calls qsort
  // __GI_qsort.
  Attribute Found;
  std::string Plain;
  for (unsigned Each : {AtLinkageName, AtMipsLinkageName, AtName}) {
    if (!L.dwarf_attr_integrate(Function, Each, &Found))
      continue;
    Plain = orEmpty(L.dwarf_formstring(&Found));
    if (Plain.starts_with("_Z"))
      return withoutTypes(demangled(Plain));
  }
  // GCC's function of an OpenMP region is a part of the one around it.
  Plain = Plain.substr(0, Plain.find("._omp_fn."));
  return HasScope ? scopeOf(Function) + Plain : Plain;
}

uint64_t LibdwFile::numberOf(Die *Of, unsigned Wanted) const {
  Attribute Found;
  uint64_t Value = 0;
  if (!L.dwarf_attr_integrate(Of, Wanted, &Found) ||
      L.dwarf_formudata(&Found, &Value) != 0)
    return 0;
  return Value;
}

// Whether debuggers shall take the function for a part of its caller: an
// intrinsic such as _mm_add_ps, or one that the compiler has made.
bool LibdwFile::isArtificial(Die *Function) const {
  Attribute Found;
  bool Value = false;
  return L.dwarf_attr_integrate(Function, AtArtificial, &Found) &&
         L.dwarf_formflag(&Found, &Value) == 0 && Value;
}

SourceFrame LibdwFile::frameOf(Die *Function, bool HasScope,
                               void *Files) const {
  SourceFrame Result;
  Result.Function = nameOf(Function, HasScope);
  Result.IsVirtual = numberOf(Function, AtVirtuality) != 0;
  int Line = 0;
  if (L.dwarf_decl_line(Function, &Line) == 0 && Line > 0) {
    Result.File = orEmpty(L.dwarf_decl_file(Function));
    // Not every version accepts DWARF 5's file 0.
    if (Result.File.empty() && numberOf(Function, AtDeclFile) == 0)
      Result.File = fileAt(Files, 0);
    Result.FirstLine = static_cast<uint32_t>(Line);
  }
  return Result;
}

// A function that GCC made of a region has no place of its own: it is where the
// function around it is, the first one in AROUND from index FROM.
void LibdwFile::placeInOuter(const Scopes &Around, int From, void *Files,
                             SourceFrame &Of) const {
  for (int I = From; Of.FirstLine == 0 && I < Around.Count; ++I)
    if (L.dwarf_tag(&Around.First[I]) == TagFunction) {
      SourceFrame Outer = frameOf(&Around.First[I], false, Files);
      Of.File = std::move(Outer.File);
      Of.FirstLine = Outer.FirstLine;
    }
}

std::vector<SourceFrame> LibdwFile::framesAt(uint64_t At) {
  Address Bias = 0;
  Die *Unit = unitAt(At, Bias);
  if (!Unit)
    return {};
  Scopes Innermost;
  Innermost.Count = L.dwarf_getscopes(Unit, At - Bias, &Innermost.First);
  Die Found;
  // A function in another one isn't among them.
  bool IsFound = std::any_of(Innermost.First,
                             Innermost.First + std::max(Innermost.Count, 0),
                             [this](Die &Scope) {
                               int Tag = L.dwarf_tag(&Scope);
                               return Tag == TagInlined || Tag == TagFunction;
                             });
  if (!IsFound && !scopeAt(Unit, At - Bias, Found))
    return {};
  // For an inlined function, these are the scopes in which it was written;
  // those into which it was inlined follow from the scope itself.
  Scopes Around;
  Around.Count =
      L.dwarf_getscopes_die(IsFound ? Innermost.First : &Found, &Around.First);
  void *Files = nullptr;
  L.dwarf_getsrcfiles(Unit, &Files, nullptr);

  std::string File;
  int Line = 0;
  if (void *Found = L.dwarf_getsrc_die(Unit, At - Bias)) {
    File = orEmpty(L.dwarf_linesrc(Found, nullptr, nullptr));
    L.dwarf_lineno(Found, &Line);
  }
  std::string Folder = folderOf(Unit);
  bool HasScope = isCxx(Unit);
  std::vector<SourceFrame> Result;
  for (int I = 0; I < Around.Count; ++I) {
    Die *Scope = &Around.First[I];
    int Tag = L.dwarf_tag(Scope);
    if (Tag != TagInlined && Tag != TagFunction)
      continue;
    if (Tag == TagFunction || !isArtificial(Scope)) {
      Result.push_back(frameOf(Scope, HasScope, Files));
      Result.back().LineFile = std::move(File);
      Result.back().Line = static_cast<uint32_t>(Line);
    }
    if (Tag == TagFunction) {
      placeInOuter(Around, I + 1, Files, Result.back());
      break;
    }
    File = fileAt(Files, numberOf(Scope, AtCallFile));
    Line = static_cast<int>(numberOf(Scope, AtCallLine));
  }
  for (SourceFrame &Each : Result)
    for (std::string *File : {&Each.File, &Each.LineFile})
      if (!File->empty() && !File->starts_with('/') && !Folder.empty())
        *File = (fs::path(Folder) / *File).lexically_normal().string();
  return Result;
}
} // namespace

bool loopscope::hasDwarf() { return library().IsThere; }

std::unique_ptr<Dwarf> Dwarf::open(const std::string &Path) {
  const Library &L = library();
  if (!L.IsThere)
    return nullptr;
  void *Session = L.dwfl_begin(&L.Standard);
  if (!Session)
    return nullptr;
  L.dwfl_report_begin(Session);
  // Addresses are those of the file.
  void *Module =
      L.dwfl_report_elf(Session, Path.c_str(), Path.c_str(), -1, 0, true);
  if (!Module || L.dwfl_report_end(Session, nullptr, nullptr) != 0) {
    L.dwfl_end(Session);
    return nullptr;
  }
  return std::make_unique<LibdwFile>(L, Session, Module);
}
