"""Generates training programs with known loops, and checks the output of --suggest for
each.

    suggest_programs.py REWRITER DIRECTORY SEED COUNT

A program marks its lines with `// @epoch`, `// @train`, `// @valid`, `// @draw`, `//
@forward`, and so on. With the rules from --suggest, --select must find exactly these,
refuse no rule, and have a match for each.
"""
import os
import random
import re
import subprocess
import sys


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.camel = rng.random() < 0.5
        self.cpp = rng.random() < 0.6
        self.prefix = rng.choice(["", "net_", "nn_", "mlp_"])
        self.epoch = rng.choice(["epoch", "ep_iter", "pass", "e", "iteration"])
        self.epochs = {"epoch": "n_epochs", "ep_iter": "max_iter", "pass": "passes", "e": "epochs",
                       "iteration": "iterations"}[self.epoch]
        self.batch = rng.choice(["batch", "b", "step", "i", "sample"])
        self.batches = {"batch": "n_batches", "b": "num_batches", "step": "steps", "i": "n_samples",
                        "sample": "count"}[self.batch]
        self.words = {
            "draw": rng.choice(["next_batch", "load_batch", "read_sample", "get_minibatch"]),
            "forward": rng.choice(["forward", "fprop", "feed_forward"]),
            "loss": rng.choice(["compute_loss", "cross_entropy", "loss_of"]),
            "backward": rng.choice(["backward", "back_prop", "bprop", "compute_gradients"]),
            "opt_step": rng.choice(["update_weights", "sgd_step", "update", "apply_gradients"]),
            "zero_grad": rng.choice(["zero_grad", "reset_gradients"]),
        }

    def name(self, words):
        words = self.prefix + words
        if not self.camel:
            return words
        head, *rest = words.split("_")
        return head + "".join(w.capitalize() for w in rest)

    def part(self, role):
        return self.name(self.words[role])

    def loop(self, variable, bound, mark):
        """The head of a loop in which VARIABLE counts to BOUND, and the end of its
        body."""
        kind = self.rng.choice(["for", "for", "assigned", "headless", "while"])
        if kind == "for":
            return f"for (int {variable} = 0; {variable} < {bound}; ++{variable}) {{ // @{mark}", "}"
        if kind == "assigned":
            return f"int {variable};\nfor ({variable} = 0; {variable} < {bound}; {variable}++) {{ // @{mark}", "}"
        if kind == "headless":
            return f"int {variable} = 0;\nfor (; {variable} < {bound}; ++{variable}) {{ // @{mark}", "}"
        return (f"int {variable} = 0;\nwhile ({variable} < {bound}) {{ // @{mark}",
                f"++{variable};\n}}")

    def parts(self):
        lines = []
        if self.rng.random() < 0.4:
            lines.append(f"{self.part('zero_grad')}(); // @zero_grad")
        lines.append(f"{self.part('forward')}(x); // @forward")
        lines.append(self.rng.choice([
            f"total += {self.part('loss')}(x); // @loss",
            f"double loss = {self.part('loss')}(x); // @loss\ntotal += loss;"]))
        lines.append(f"{self.part('backward')}(x); // @backward")
        lines.append(f"{self.part('opt_step')}(0.1); // @opt_step")
        return lines

    def prototypes(self):
        p = self.part
        return [f"int {p('draw')}(int);", f"void {p('zero_grad')}(void);", f"void {p('forward')}(int);",
                f"double {p('loss')}(int);", f"void {p('backward')}(int);", f"void {p('opt_step')}(double);",
                "void show(double);", "double get_loss(void);", "void update_progress(int);",
                "int data_size(void);"]

    def files(self):
        shape = self.rng.choice(["nested", "called", "other_file", "unseen", "plain_name", "inline", "threads",
                                 "nameless", "lambda", "scalars"])
        if shape in ("threads", "lambda") and not self.cpp:
            shape = "nested"
        e_open, e_close = self.loop(self.epoch, self.epochs, "epoch")
        b_open, b_close = self.loop(self.batch, self.batches, "train")
        draw = [f"int x = {self.part('draw')}({self.batch}); // @draw"]
        noise = self.rng.choice([[], ["show(get_loss());"], [f"update_progress({self.batch});"],
                                 ["if (total > 10)", "show(total);"]])
        bounds = f"int {self.epochs}, int {self.batches}"
        passed = f"{self.epochs}, {self.batches}"
        extern = []
        before, step = [], draw + self.parts() + noise
        if shape in ("other_file", "plain_name"):
            whole = self.name("train_batch" if shape == "other_file" else "process")
            body = [f"double {whole}(int x) {{", "double total = 0;"] + self.parts() + ["return total;", "}"]
            step = draw + [f"total += {whole}(x);"] + noise
            if shape == "other_file":
                extern = self.prototypes() + body
                before = [f"double {whole}(int);"]
            else:
                before = body
        elif shape == "unseen":
            whole = self.name(self.rng.choice(["train_batch", "train_step", "train_one_sample", "learn_example"]))
            before = [f"double {whole}(int);"]
            step = draw + [f"total += {whole}(x);"] + noise
        elif shape == "inline":
            before = ["static double weights[8], inputs[64][8], targets[64];"]
            step = ["double sum = 0, lr = 0.1;", "for (int k = 0; k < 8; ++k)",
                    f"sum += weights[k] * inputs[{self.batch} % 64][k];",
                    f"double delta = targets[{self.batch} % 64] - sum;", "for (int k = 0; k < 8; ++k)",
                    f"weights[k] += lr * delta * inputs[{self.batch} % 64][k];", "total += delta * delta;"]
        elif shape == "nameless":
            whole = self.name(self.rng.choice(["crunch", "handle", "objective_and_gradients", "run_all"]))
            before = [f"double {whole}(int);"]
            step = self.rng.choice([draw, ["int x = 1;"]]) + [f"total += {whole}(x);"] + noise
        elif shape == "lambda":
            step = ["auto one = [&](int x) {"] + self.parts() + ["};"] + draw + ["one(x);"] + noise
        elif shape == "scalars":
            before = ["static double slope, inputs[64], targets[64];"]
            step = [f"double difference = slope * inputs[{self.batch} % 64] - targets[{self.batch} % 64];",
                    f"slope -= 0.1 * difference * inputs[{self.batch} % 64];", "total += difference * difference;"]
        inner = [b_open] + step + [b_close]
        out = self.prototypes() + before
        out += ["static double table[16];", "static void init_weights(void) {",
                "for (int k = 0; k < 16; ++k)", "table[k] = k * 0.1;", "}"]
        train = self.name("train_model")
        if shape == "called":
            one = self.name("train_epoch")
            out += [f"static double {one}(int {self.batches}) {{", "double total = 0;"] + inner + ["return total;", "}"]
            outer = [e_open, f"show({one}({self.batches}));", e_close]
        elif shape == "threads":
            out = ["#include <thread>", "#include <vector>"] + out
            one = self.name("train_worker")
            out += [f"static void {one}(int {self.batches}) {{", "double total = 0;"] + inner + ["show(total);", "}"]
            outer = [e_open, "std::vector<std::thread> threads;", "for (int t = 0; t < 4; ++t)",
                     f"threads.push_back(std::thread([=] {{ {one}({self.batches}); }}));",
                     "for (auto &t : threads) t.join();", e_close]
        else:
            outer = [e_open, "double total = 0;"] + inner
            if shape == "nested" and self.rng.random() < 0.5:
                outer += ["for (int v = 0; v < data_size(); ++v) { // @valid", f"int x = {self.part('draw')}(v); // @draw",
                          f"{self.part('forward')}(x); // @forward", "}"]
            outer += ["show(total);", e_close]
        out += [f"void {train}({bounds}) {{", "init_weights();"] + outer + ["}"]
        # Inference: calls forward in a loop, but isn't training.
        out += ["void generate(int tokens) {", "for (int t = 0; t < tokens; ++t)", f"{self.part('forward')}(t);", "}"]
        out += ["int main(void) {", f"{train}(3, data_size());", "generate(8);", "return 0;", "}"]
        suffix = "cpp" if self.cpp else "c"
        return shape, {f"main.{suffix}": out, **({f"step.{suffix}": extern} if extern else {})}


def check(rewriter, folder, program):
    shape, files = program.files()
    os.makedirs(folder, exist_ok=True)
    wanted = set()
    paths = []
    for name, lines in files.items():
        paths.append(os.path.join(folder, name))
        text = "\n".join(lines) + "\n"
        with open(paths[-1], "w") as stream:
            stream.write(text)
        for number, line in enumerate(text.splitlines(), 1):
            for mark in re.findall(r"// @(\w+)", line):
                wanted.add((mark, name, number))
    result = subprocess.run([rewriter, "--suggest", *paths, "--"], capture_output=True, text=True)
    selection = os.path.join(folder, "s.yaml")
    with open(selection, "w") as stream:
        stream.write(result.stdout)
    taken = subprocess.run([rewriter, "--select", selection, "--list", *paths, "--"], capture_output=True, text=True)
    found = {(name, os.path.basename(file), int(line)) for name, file, line in
             re.findall(r"^(\S+) +\w+ +(\S+):(\d+) ", taken.stdout, re.MULTILINE)}
    problems = [f"missing {m}" for m in sorted(wanted - found)]
    # A phase named after its callee makes no claim.
    claims = {"epoch", "train", "valid", "draw", "forward", "loss", "backward", "opt_step", "zero_grad"}
    problems += [f"wrong {m}" for m in sorted(found - wanted) if m[0] in claims]
    if taken.returncode != 0 or taken.stderr:
        problems.append("--select: " + taken.stderr)
    return [f"{folder} ({shape}): {p}" for p in problems]


def main():
    rewriter, directory, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    problems = []
    for index in range(count):
        program = Program(random.Random(seed * 1000003 + index))
        problems += check(rewriter, os.path.join(directory, str(index)), program)
    print("\n".join(problems) if problems else f"{count} programs")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
