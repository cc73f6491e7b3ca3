"""Random programs for player.c, and random devices and CUPTI behaviours to play them
on."""
import random

KINDS = 6


def microseconds(rng):
    """The length of a kernel: mostly short, sometimes long."""
    return rng.choice([rng.randint(1, 500)] * 12 + [rng.randint(1000, 4000)] * 3 +
                      [rng.randint(20000, 80000)])


class Program:
    """A script and a scenario, determined by a seed."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed = seed
        self.devices = rng.choice([1, 1, 1, 2, 3])
        self.threads = rng.choice([0, 0, 1, 2, 4, 8])
        self.major = rng.choice([12, 13, 13])
        self.lengths = [microseconds(rng) for _ in range(KINDS)]
        # Runs for minutes: nothing waits for it, or for its whole device.
        self.persistent = rng.random() < 0.15
        self.traced = rng.random() < 0.3
        # Microseconds of device work, approximately: one program in ten is long.
        self.left = rng.choice([200_000] * 9 + [5_000_000])
        # The truth of samples needs one tree.
        self.sampled = self.major == 13 and self.threads == 0 and rng.random() < 0.5
        self.scenario = self.make_scenario(rng)
        self.script = [self.thread(rng, number) for number in range(self.threads + 1)]

    def make_scenario(self, rng):
        lines = [f"device {n} {rng.choice([10, 100, 132])} 9.0 Device {n}"
                 for n in range(self.devices)]
        lines += [f"kernel k{n} {length}us" for n, length in enumerate(self.lengths)]
        lines += [f"latency {rng.choice(['1us', '5us', '200us'])}",
                  f"copy {rng.choice([1000, 5000, 20000])}",
                  f"buffers {rng.choice(['thread', 'thread', 'process'])}"]
        if self.sampled:
            lines = [line + f" sm={rng.randint(1, 100)}" if line.startswith("kernel") else line
                     for line in lines]
            lines += rng.choice([[], ["pm-piece 50"], ["pm-metrics 4"]])
        lines += ["kernel forever 180s"]
        # GPU instances that the program doesn't see, with the same id or another one.
        if rng.randrange(5) == 0:
            lines += [f"mig 0 {rng.randrange(8)} {rng.randrange(4)}",
                      f"hidden {rng.choice([0, 7])} 98 8.0 Hidden"]
        # CUPTI that serves several tools, or only one.
        if self.major == 13:
            lines += rng.choice([[], ["cupti 130300"], ["cupti 130300", "one-subscriber"]])
        for word, share in (("default-stream thread", 3), ("flush-period 5ms", 5),
                            ("graphs whole", 5), ("order reverse", 3), ("hold 2", 4),
                            ("late 300ms", 4), ("nested", 4), ("one-a-buffer", 8),
                            ("foreign", 5), ("call 20us", 4), ("correlation 4294967200", 6)):
            if rng.randrange(share) == 0:
                lines.append(word)
        return lines

    def thread(self, rng, number):
        """The lines of a thread. A worker's work is in phases of its own."""
        device = rng.randrange(self.devices)
        body = []
        self.graph = False
        if number == 0:
            body += [f"t {n}" for n in range(1, self.threads + 1)]
        if number == 0 and self.persistent:
            body.append("P")
        if number == 0 and rng.random() < 0.3:
            body.append("S")  # another tool starts
        blocks = []
        for _ in range(rng.randint(2, 8)):
            blocks.append([])
            self.block(rng, blocks[-1], 1)
        body += self.loop(rng, blocks) if number == 0 and self.traced else sum(blocks, [])
        if number == 0 and rng.random() < 0.3:
            body.append(f"k {rng.randrange(KINDS)} 10 0")  # outside all phases
        if number == 0:
            body += [f"j {n}" for n in range(1, self.threads + 1)]
        if (number != 0 or rng.random() < 0.8) and not self.persistent:
            body.append("d")
        return [f"thread {number} {device}"] + body + [")"]

    def loop(self, rng, blocks):
        """The blocks, some of them in the steps of a training loop."""
        first, last = sorted((rng.randint(0, len(blocks)), rng.randint(0, len(blocks))))
        if first == last:
            return sum(blocks, [])
        return sum(blocks[:first], []) + [f"T {rng.randint(1, 4)}"] + (
            sum(blocks[first:last], []) + [")"] + sum(blocks[last:], []))

    def block(self, rng, body, depth):
        body.append(f"( {rng.randrange(8)}")
        start, left = len(body), self.left
        for _ in range(rng.randint(1, 9)):
            if depth < 4 and rng.random() < 0.25:
                self.block(rng, body, depth + 1)
            else:
                body.append(self.action(rng))
        if rng.random() < 0.2:  # a nested loop
            once, cost = body[start:], left - self.left
            for _ in range(rng.randint(1, 6)):
                if self.left > cost:
                    body += once
                    self.left -= cost
        body.append(")")

    def action(self, rng):
        """One line of the script."""
        if self.left <= 0:
            return "u 20"
        stream = rng.randrange(4)
        size = rng.choice([256, 4096, 65536, 1 << 20])
        if not self.graph and rng.random() < 0.03:
            self.graph = True
            return f"g {rng.randrange(KINDS)} {rng.randint(1, 5)}"
        kernel = rng.randrange(KINDS)
        actions = [f"k {kernel} {rng.choice([1, 40, 200, 1000])} {stream}"] * 8
        actions += [f"c {rng.randrange(4)} {size} {stream}", f"m {size} {stream}",
                    f"p {rng.randrange(self.devices)} {size} {stream}", f"C {rng.randrange(4)} {size}",
                    f"s {stream}", f"s {stream}", "d", f"e {stream}", f"u {rng.randint(1, 3000)}"]
        if self.graph:
            actions += [f"G {stream}"] * 2
        chosen = rng.choice(actions)
        if chosen == "d" and self.persistent:
            chosen = f"s {stream}"
        self.left -= self.lengths[kernel] if chosen[0] == "k" else 50
        return chosen

    def text(self):
        """The script."""
        return "\n".join(line for thread in self.script for line in thread) + "\n"
