"""Finds phrases that a native engineer would stop at.

usage: english.py SOURCE_ROOT

Reads README.md, hand-written docs/*.md, the sources with their messages and comments,
and the tests. Prints FILE:LINE: PHRASE, what to write; exits 1 if there are any. When a
reader stumbles over a phrase, add it to the list and fix all places.
"""
import bisect
import pathlib
import re
import sys

# A phrase, as a regular expression for lower-case text, and what to write instead.
PHRASES = {
    # Phrases of comments in runtime/ and test/.
    r"where it is there": "if it exists",
    r"\bmade to (?:do|be)\b|known from the making": "the known truth",
    r"\bcome of it\b|what came of it": "the results",
    r"\bgives (?:how many|null|the number|how long|its start|when that)\b": "returns",
    r"\bworked out (?:here|by hand)\b": "computed",
    r"set its own mind": "handle it itself",
    r"\bdoes nothing but\b": "only ...",
    r"\blies? beside\b": "is next to",
    r"\bquicke(?:r than|st)\b": "faster, fastest",
    r"\btakes? no word\b": "has no ...",
    r"an order that makes sense": "a consistent order",
    r"\bexits? alike\b": "has the same exit code",
    r"\bwhat is kept of\b": "the data of",
    r"\bthe least and (?:the )?most\b": "minimum and maximum",
    r"\bhands? (?:the|its) .{1,20} on\b": "passes on",
    r"\bgets? ready to\b": "prepares to",
    r"\bsays? how many there are\b": "gives the number",
    r"\bwhere it isn't there\b": "if it is missing",
    r"\bof none of\b": "not part of any",
    r"\bis no time of\b": "isn't part of",
    r"\bare told where\b": "hear where",
    r"\bby the word of\b": "according to",
    r"\bstands? (?:ahead|in front) of every\b": "precedes every",
    r"\bwhose turn it is\b": "the next",
    r"say what is what": "say what each part is",
    r"\bas always\b": "as usual",
    r"by itself when": "automatically when",
    r"which are nothing in": "which expand to nothing in",
    r"what else a build may have": "other build setups",
    r"into a pipe goes": "a pipe gets",
    r"is there when npm": "needs npm",
    r"no thread but their own": "cannot tolerate an extra thread",
    r"is time of the draw but no call": "counts as draw time, not as a call",
    r"held at the device's own union": "capped at the device's busy time",
    r"has none has none": "is empty if nothing was there",
    r"how to have less of": "how to reduce",
    r"end with what the file lost": "end with data-loss notes",
    r"what this version has not": "known limitations",
    r"it hasn't been at hand": "leave the history out",
    r"of what .{1,20} was tried": "what was tried",
    r"two looks": "two updates",
    r"\bmay look at\b": "may read",
    r"chance says yes": "chance alone flags",
    r"called what they are": "have fixed names",
    r"goes with page faults": "goes to page faults",
    r"% of the step time (?:threads|batches|its)\b": "the share needs a verb of its own",
    r"had the processor for": "spent ... on the processor",
    r"withholds? processors?": "limits the processor time",
    r"\bby what to multiply": "the factor",
    r"says? that (?:it|they) (?:is|are) rank\b": "claims to be rank",
    r"in the ratio of": "estimated from",
    r"columns? \w+ alone\b": "only in the column",
    r"mix two \w+ up": "corrupt both",
    r"looks at at": "reads at",
    r"\bas ever\b": "as usual",
    r"has what that came to": "has the figures",
    r"are no useful time": "are not useful time",
    r"\bare no (?:ranges|ranks|rows|edits|files)\b": "aren't ...",
    r"unless said\b": "by default",
    r"\btold of below": "described below",
    r"\bit did cost\b": "it cost",
    r"aren't at hand|isn't at hand": "is missing",
    r"gets .{1,20} by itself\b": "... automatically",
    r"figure .{1,30} is at hand": "no figure is known",
    r"(?<!there )\b(?:is|are) no (?:pattern|percentage|ranks?|pytorch trace|merged file|utf-8)\b": "is not a ...",
    r"nothing for a terminal": "a terminal can't show it",
    r"could be had\b": "there was no ...",
    r"isn't wholly in": "is incomplete",
    r"as there is no such": "because ... is missing",
    r"says no rank": "has no rank",
    r"has no memory\b": "ran out of memory",
    r"as not all ranks are": "because ranks are missing",
    r"\bcomes? behind them": "follow",
    r"code that one can't": "code that you can't",
    r"'\w+' concerns a": "needs a",
    r"\bwhoever jumps": "a jump",
    r"those too that": "even those that",
    r"\bbut the small ones": "except small ones",
    r"is the least\b": "at least",
    r"\bwhat is as good\b|\bis as good\b": "will do",
    r"more than was meant": "too much",
    r"\bwhat of an? ": "the part of a ...",
    r"\bnames tell of\b": "say about",
    r"can't be told(?! from| apart)": "isn't known",
    r"\b(?:hasn't|haven't) the\b": "lacks the",
    r"says the errors": "reports the errors",
    r"(?<!matches )nothing says\b": "isn't known",
    r"\bin so many words": "explicitly",
    r"has no place in a source": "has no source location",
    r"(?:is|are) not here:": "missing",
    r"can't be had\b|that can be had": "isn't available",
    r"(?:put it|would end|directly|that one and those|programs) behind": "after",
    r"whoever (?:builds|comes)": "the one who ...",
    r"this concerns\b": "matters in",
    # Of the documents.
    r"\bmade at random\b": "random",
    r"\bcan be had\b|\bto be had\b": "is available",
    r"\bto who\b|\bwho asks\b": "to a tool that asks",
    r"\bas there (?:is|was|are|were) (?:no|not|too)\b": "because there ...",
    r"\bwhere that is (?:allowed|known|complete)\b": "if allowed, if known",
    r"\bat hand\b": "available",
    r"\bone look is\b": "each check",
    r"\bmean to them\b": "keep their meaning",
    r"\bare no declarations\b": "other than declarations",
    r"\bcalled what they are\b": "have fixed names",
    r"\bcost more than they (?:tell|say)\b": "cost too much",
    r"\bcounts? more than the environment": "overrides the environment",
}
# Phrases that are searched for in documents only.
OF_DOCUMENTS = {
    r"\ball the same\b": "still",
    r"\bbut for (?!one\b)": "except",
    r"\b(?:beside|behind|less) what\b": "minus, after, and a noun",
    r"\bwhat (?:stands|lies|came|comes|differs|follows) ": "a noun: later data, deeper spans",
    r"\bbehind (?:a declaration|the construct|its body|it\b(?!s))": "after",
    r"\banew\b": "again",
    r"\bfor good\b": "always",
    r"\b(?:was|were|it) mended\b|### mended": "fixed",
    r"\bless (?:setuid|the umask|the call|that)\b": "minus, without",
    r"\bhow (?:well|long|often|much) that (?:went|goes|came to)\b": "a noun",
    r"\bwhat (?:made|makes) earlier\b": "no history",
    r"\buntil now\b": "no history",
}
WRITTEN = ("README.md", "docs/*.md", "docs/examples/*.md", "docs/examples/*/README.md", "tool/*.cpp", "tool/*.sh",
           "lib/**/*.cpp", "lib/**/*.h", "runtime/**/*.cpp", "runtime/**/*.h", "test/**/*.test", "test/**/*.c",
           "test/**/*.cpp", "test/**/*.h", "test/**/*.py", "test/**/*.sh")
# These contain the phrases themselves.
NOT = {"test/Style/english.test", "test/tools/english.py"}
# What begins a comment's line.
MARKS = re.compile(r"^[^\S\n]*(?:/[/*]+|#+|\*)\s", re.M)


def needed(phrase):
    """Texts of which one is in all that PHRASE matches: its longest parts without special characters."""
    plain = re.sub(r"\\[bw]|\[[^]]*\]", "\0", phrase)
    while (shorter := re.sub(r"\([^()]*\)", "\0", plain)) != plain:
        plain = shorter
    plain = re.sub(r"[\0.\w][?*]|[\0.][+{]|\w\{", "\0", plain)
    return [max(re.findall(r"[\w ',-]*", each), key=len) for each in plain.split("|")]


def words_of(text):
    """The words of TEXT as one line, and where in it each line of TEXT begins."""
    flat, starts, at = [], [], 0
    for content in MARKS.sub("", text.lower()).split("\n"):
        starts.append(at)
        words = [word for each in content.split() if (word := each.strip('"'))]  # a text split over two literals
        flat += words
        at += sum(map(len, words)) + len(words)
    return " ".join(flat), starts


def main():
    root = pathlib.Path(sys.argv[1])
    found = 0
    phrases = [(needed(phrase), re.compile(phrase), better, phrase in OF_DOCUMENTS)
               for phrase, better in (PHRASES | OF_DOCUMENTS).items()]
    for path in sorted({path for pattern in WRITTEN for path in root.glob(pattern)
                        if path.relative_to(root).as_posix() not in NOT}):
        flat, starts = words_of(path.read_text(encoding="utf-8"))
        is_document = path.suffix == ".md"
        for texts, phrase, better, of_documents in phrases:
            if not any(text in flat for text in texts) or (of_documents and not is_document):
                continue
            for match in phrase.finditer(flat):
                line = bisect.bisect_right(starts, match.start())
                print(f"{path.relative_to(root)}:{line}: \"{match.group(0)}\": {better}")
                found += 1
    sys.exit(bool(found))


main()
