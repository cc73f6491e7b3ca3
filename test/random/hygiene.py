"""Programs that use the words in Loopscope's headers and hooks as their own names:
macros (also on the command line), variables, types, functions, namespaces, labels."""
import functools
import os
import re
import subprocess

from program import CXX_PRELUDE, C_PRELUDE, Case

KEYWORDS = set("""alignas alignof asm auto bool break case catch char
char8_t char16_t char32_t class concept const consteval constexpr constinit const_cast
continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum
explicit export extern false float for friend goto if inline int long mutable namespace new
noexcept nullptr operator private protected public register
reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast
struct switch template this thread_local throw true try typedef typeid typename typeof union
unsigned using virtual void volatile wchar_t while""".split())

# Words that users' training programs contain.
WORDS = set("""loopscope phase fit validate test predict epoch train valid draw ignore step batch
span samples stage site token kind line file function name PHASE FIT VALIDATE TEST PREDICT EPOCH
TRAIN VALID DRAW STEP BATCH SPAN SITE END LOOP NEXT KIND ID NAME LINE FUNCTION EXPRESSION TOKEN
SAMPLES loopscope_site loopscope_span loopscope_token loopscope_enter loopscope_leave
loopscope_active detail enter leave end hooks unused cleanup used weak visibility nothrow gnu
uint64_t int64_t uint32_t int8_t size_t ptrdiff_t printf abort linux unix""".split())

# Uses of a name, one program each. NAME is the name.
FORMS = {
    "macro": ("c c++", "#define NAME 12345"),
    "empty macro": ("c c++", "#define NAME"),
    "macro like a function": ("c c++", "#define NAME(x) nonsense x"),
    "command line": ("c c++", "-DNAME=12345"),
    "empty, command line": ("c c++", "-DNAME="),
    "variable": ("c c++", "int NAME = 1;"),
    "static variable": ("c c++", "static int NAME __attribute__((__unused__)) = 1;"),
    "function": ("c c++", "int NAME(int x) { return x; }"),
    "type": ("c c++", "struct NAME { int x; };"),
    "typedef": ("c c++", "typedef struct { int x; } NAME;"),
    "constant": ("c c++", "enum { NAME = 3 };"),
    "class": ("c++", "class NAME { public: NAME() {} explicit operator bool() const; };"),
    "template": ("c++", "template <class I> struct NAME { I x; };"),
    "namespace": ("c++", "namespace NAME { int x; struct span {}; }"),
    "local variable": ("c c++", ""),
    "label": ("c c++", ""),
}


def words(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"", " ", text, flags=re.S)
    text = re.sub(r"^\s*#\s*(\w+)(.*GCC.*)?", " ", text, flags=re.M)
    return set(re.findall(r"[A-Za-z_]\w*", text))


def is_reserved(name):
    return re.match(r"__|_[A-Z]", name) is not None


def headers(include):
    """The identifiers in the prelude of a rewritten file, and in annotate.h."""
    found = set()
    for name in ("hooks.h", "abi.h", "amounts.h", "missing.h", "annotate.h"):
        path = os.path.join(include, "loopscope", name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as stream:
                found |= words(stream.read())
    return found


@functools.cache
def system_words(language, standard):
    """The words in a program's system headers, under a standard."""
    prelude = CXX_PRELUDE if language == "c++" else C_PRELUDE
    includes = "".join(line + "\n" for line in prelude.splitlines() if line.startswith("#include"))
    text = subprocess.run(["gcc", f"-std={language}{standard}", "-E", "-dD", "-x", language, "-"],
                          input=includes, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout
    return set(re.findall(r"[A-Za-z_]\w*", text))


def names(include, text):
    """Names to try: all that a program may define and TEXT, its other part, doesn't
    use."""
    found = (headers(include) | WORDS | KEYWORDS) - {"static"}
    own = words(text) | words(CXX_PRELUDE) | words(C_PRELUDE) | {"NAME", "main", "defined"}
    return sorted(name for name in found - own
                  if not is_reserved(name) and not name.startswith("LOOPSCOPE_"))


def cases(form, language, standard, include, working):
    """A case for each name, used as in FORM; WORKING are the program's other cases."""
    languages, template = FORMS[form]
    if language not in languages.split():
        return []
    text = "\n".join(line for case in working for line in case.globals)
    found = []
    # Definitions on the command line also affect the system's headers.
    system = system_words(language, standard) if "command" in form else set()
    for name in names(include, text):
        if name in system:
            continue
        if "macro" not in form and "command" not in form and name in KEYWORDS:
            continue
        case = Case(kind="hygiene", shape=f"{form} {name}", call="(void)0")
        line = template.replace("NAME", name)
        if form == "local variable":
            k, mark = case.marked()
            case.globals += [f"void c$({'' if language == 'c++' else 'void'}) {{",
                             f"  int {name} = 3; @N{k};", f"  {mark}say(\"n\", {name});",
                             f"  @N1; {case.mark()}int y = value({name});",
                             f"  say(\"n\", y + {name});", "}"]
            case.call = ""
        elif form == "label":
            k, mark = case.marked()
            case.globals += [f"void c$({'' if language == 'c++' else 'void'}) {{",
                             f"  @N{k};", f"  {mark}say(\"n\", 1);",
                             f"  if (odd(2)) goto {name};", f"  {name}: say(\"n\", 2);", "}"]
            case.call = ""
        elif line.startswith("-D"):
            case.flags.append(line)
            case.globals.append("// " + line)
        else:
            case.globals.append(line)
        found.append(case)
    return found
