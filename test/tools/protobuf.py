"""Reads protocol buffers without their schemas, as far as tests of exports need it."""


def fields(data):
    """The fields of a protobuf message: (number, int or bytes)."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = {1: 8, 5: 4}.get(key & 7) or varint()
            yield key >> 3, data[at:at + size]
            at += size


def lines(data, prefix=""):
    """The message as text, one field per line: its path of field numbers and its value.
    Bytes are shown as text if valid, else as a message if possible."""
    for number, value in fields(data):
        place = f"{prefix}{number}"
        if isinstance(value, bytes):
            try:
                text = value.decode()
                if not text.isprintable():
                    raise ValueError
                value = repr(text)
            except ValueError:
                try:
                    nested = list(lines(value, place + "."))
                except IndexError:
                    value = value.hex()
                else:
                    yield f"{place}:"
                    yield from nested
                    continue
        yield f"{place}: {value}"
