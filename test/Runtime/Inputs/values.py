"""Adds up the bins of each value of a history in csv, and checks that they are in order, not more
than there may be, and within the run.
"""
import csv
import sys

rows = list(csv.DictReader(sys.stdin))
end = max(float(row["to_s"]) for row in rows if row["table"] == "bins")
of = {}
for row in rows:
    if row["table"] == "values":
        of.setdefault(row["value"], []).append(row)
for name, bins in of.items():
    assert len(bins) <= 128
    for before, after in zip(bins, bins[1:]):
        assert float(before["to_s"]) <= float(after["from_s"]), (name, before, after)
    assert float(bins[-1]["to_s"]) <= end
    told = [row for row in bins if row["count"] != "0"]
    count = sum(int(row["count"]) for row in told)
    total = sum(float(row["mean"]) * int(row["count"]) for row in told)
    print(f"{name}: {count} numbers from {min(float(row['min']) for row in told):g} "
          f"to {max(float(row['max']) for row in told):g}, sum {round(total, 6)}, last {float(told[-1]['last']):g}, "
          f"{sum(int(row['not_finite']) for row in bins)} not finite")
