"""The timeline of an HTML page as plain values: what HtmlTimelineJson.cpp writes."""
import base64


class Numbers:
    """Numbers in base64."""

    def __init__(self, text):
        self.bytes, self.at = base64.b64decode(text), 0

    def byte(self):
        self.at += 1
        return self.bytes[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        value = self.number()
        return -(value + 1) // 2 if value % 2 else value // 2


def windows_of(track):
    """[(from, to, [(start, length, path, (track, time) of the launch or None)])]"""
    numbers, windows = Numbers(track["spans"]), []
    for start, end, count in track["windows"]:
        spans, at = [], start
        for _ in range(count):
            at += numbers.signed()
            length, path, launch = numbers.number(), numbers.number(), None
            launched = numbers.number() if track["launches"] else 0
            if launched:
                launch = launched - 1, at - numbers.signed()
            spans.append((at, length, path, launch))
        windows.append((start, end, spans))
    assert numbers.at == len(numbers.bytes)
    return windows


def cells_of(track, count):
    """By column, its cells in 1/255."""
    numbers, columns = Numbers(track["cells"]), []
    for _ in track["columns"]:
        cells = []
        while len(cells) < count:
            share = numbers.byte()
            cells += [share] if share else [0] * numbers.number()
        assert len(cells) == count
        columns.append(cells)
    assert numbers.at == len(numbers.bytes)
    return columns
