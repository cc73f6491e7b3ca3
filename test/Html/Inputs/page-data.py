"""Prints the runs in a report page, their views and their footers.

usage: page-data.py PAGE
"""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    page = stream.read()
data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
for run in json.loads(data.group(1))["runs"]:
    print(f"run {run['title']}:", *(view["name"] for view in run["views"]))
    for line in run["footer"]:
        print("footer:", line)
