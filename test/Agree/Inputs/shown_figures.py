"""Compares what a page shows with the views that have it, too, element by element.

usage: shown_figures.py LOOPSCOPE FOLDER NAME=FILE[,FILE...]...
       shown_figures.py --selectors

FOLDER has NAME.html, the page of the FILEs, a run each, and NAME.html.shown, what shown.js found there. An element
with a digit is covered by the first entry of SHOWN whose selector it or one above it matches; shown.js prints what
none covers. So a figure can't be added to the page without being compared. Prints each disagreement, entries that no
page has, and last the number of elements that agree.

The page's data, which the tables and curves are drawn from, is compared by page_figures.py and files.py; where an
entry says "the page's data", that is what is meant."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tools"))
import shown_answer as answer
import shown_diff as diff
import shown_history as history
import shown_tables as tables
from page_figures import check_shared
from reports import Disagreement, Refused, Reports
from shown_values import Side

# Selector, what its figures are compared with, how. The first that fits is an element's.
SHOWN = (
    ("#title, #command, #where, #run-label", "who ran: the run of any view", answer.check_head),
    (".facts > div", "a card: account, overview, tree, devices and the run", answer.check_fact),
    (".part-of-run .split > *, .part-of-run .small-part", "a part of a chosen part of the run: parts in history", history.check_part_split),
    ("#answer .goes.whole h2", "the run's time: account", answer.check_whole),
    ("#answer .split > *, #answer .small-part", "a part of a bar and where it leads: account, overview", answer.check_part),
    ("#waterfall tbody tr", "a part of the step, and where it leads: step in diff", diff.check_fall),
    ("#waterfall .note", "where bars begin: step in diff", diff.check_falls_note),
    ("#waterfall", "the loop's place: step in diff", diff.check_falls_title),
    ("#curves svg, #curves .small-part, #curves .note", "the mean step along the runs: step_curves in diff", diff.check_means),
    ("#spread > p, #spread svg, #spread .small-part", "steps by duration: step_times and step_quantiles in diff", diff.check_spread),
    ("#diff-icicle svg, #diff-icicle .hint, #diff-icicle .note", "call paths of both sides: paths in diff", diff.check_paths),
    ("#facts tbody tr", "facts that differ: facts in diff", diff.check_differing),
    (".side > p, .side > h2, #uncompared .note, #side h2", "a side's verdict and name: overview", diff.check_side),
    (".verdict", "the verdict and where it leads: overview, ranks", answer.check_verdict),
    (".advice li", "advice, what it saves and where it leads: recommendations in overview", answer.check_advice),
    ("#history .part-of-run tr", "a chosen part's loops: steps in history", history.check_part_row),
    ("#history .distribution", "steps by duration: steps in history", history.check_distribution),
    ("#history .part-of-run h2", "a chosen part's times: the page's bins", history.check_part_title),
    ("#history .part-of-run h3", "a chosen part's times: the page's bins", history.check_part_title),
    ("#history .part-of-run .note", "steps whose durations are known: the page's bins", history.check_part_note),
    ("#history .curve", "the chosen figure: the page's bins, which are those of history", history.check_curve),
    ("#history .curve-bin", "a bin's figures: the page's bins, which are those of history", history.check_bin),
    ("#history .small-part", "a line's name and where it leads", history.check_legend),
    ("#steps .tools .hint", "how many steps there are: steps", history.check_step_count),
    ("#steps .small-part", "a part's mean and where it leads: the page's data", history.check_step_part),
    ("#steps .slowest li", "a slow step and where it leads: steps", history.check_slow),
    ("#panel table.tree tbody tr", "a call path: tree", tables.check_tree_row),
    ("#panel tbody tr", "a row of a view and where it leads: that view", tables.check_table_row),
    ("thead", "names of columns", answer.check_any),
    ("#panel select", "which tables there are: that view", tables.check_choices),
    ("#panel h3, #panel .note, #panel .hint, #panel button, #panel .scroll, #panel .tools", "what is said of a table: that view", tables.check_note),
    ("#keys .key-table tbody tr", "a key and where it leads: tree --by key", tables.check_key_row),
    ("#keys h3, #keys svg, #keys .hint, #keys .note, #keys .key-note, #keys .small-part, #keys .chart", "sentences about keys: the page's keys, which are those of tree --by key", tables.check_key_text),
    ("#icicle .found-sum", "the sum of a search: tree", tables.check_sum),
    ("#icicle .crumbs, #icicle .detail", "the chosen call path, and where the path above leads: tree", tables.check_detail),
    ("#source tbody tr", "a line and where it leads: the page's data, which are those of annotate", tables.check_source_row),
    ("#source h3, #source .note", "what is said of the source: the page's notes", tables.check_source_note),
    ("#timeline .sum tbody tr", "the sum of a range: single spans", tables.check_sum_row),
    ("#timeline .sum h3, #timeline .sum .note", "the range that was chosen", tables.check_range),
    ("#timeline .hint", "what is said of the timeline: its spans", tables.check_timeline_note),
    ("#timeline .track-names > *", "names of tracks: the page's timeline", tables.check_track),
    ("#timeline .lanes", "how many tracks there are", answer.check_any),
    ("#roofline li, #roofline svg, #roofline .note", "points: roofline", tables.check_roofline),
    ("#integrity .note, #footer", "the file's integrity: overview; the tool's version", answer.check_footer),
)


def pages(folder, arguments):
    for argument in arguments:
        name, _, files = argument.partition("=")
        page = os.path.join(folder, name + ".html")
        with open(page, encoding="utf-8") as file:
            data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.S).group(1))
        with open(page + ".shown", encoding="utf-8") as file:
            yield name, data, files.split(","), [json.loads(line) for line in file]


def main():
    if sys.argv[1] == "--selectors":
        print(json.dumps([selector for selector, *_ in SHOWN]))
        return
    compared = [0] * len(SHOWN)
    for name, data, files, lines in pages(sys.argv[2], sys.argv[3:]):
        sides = [Side(data, index, Reports(sys.argv[1], file)) for index, file in enumerate(files)]
        said = set()
        if "comparison" not in data:
            try:
                check_shared(Reports(sys.argv[1], *files), data)
            except Disagreement as problem:
                said.add(f"{name}: {problem}")
        for line in lines:
            state = dict(line["state"], run=line["run"])
            for item in line["items"]:
                selector, what, check = SHOWN[item["at"]]
                side = sides[line["run"] if item["side"] is None else item["side"]]
                compared[item["at"]] += 1
                try:
                    answer.check_commands(item, side)
                    check(item, side, state)
                except (Disagreement, Refused) as problem:
                    said.add(f"{name}, {selector}, {what}, {state}: {problem}")
        for each in sorted(said):
            print(each)
    for (selector, *_), count in zip(SHOWN, compared):
        if not count:
            print(f"no page shows {selector}")
    print(f"{sum(compared)} elements of {len(sys.argv) - 3} pages compared, in {len(SHOWN)} kinds")


main()
