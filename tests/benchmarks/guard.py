#!/usr/bin/env python3
"""Runs the benchmarks that a person feels, in under ten minutes, beside what was kept: what became slower?

  cmake --preset release -DHEADLIGHT_BENCHMARKS=ON && python3 tests/benchmarks/guard.py [--all] [--keep] [--only WORD]

Each measurement runs several times, the measurements in turn, so that a busy minute does not fall on one of them alone.
The median stands beside the one in the table "Guard" of docs/figures.md, with half of the distance between the fastest
and the slowest as its noise; it is slower where it is over the kept one by more than both noises and a tenth. Ratios to
PyTorch compare on every machine, times only on the processor that the table names. --keep writes the table anew; --all
takes every bundled model, and PyTorch's models of all sizes. PyTorch is the one that /usr/bin/python3 imports: with
PYTHONPATH that of a virtual environment. Status 1 says that something became slower.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"
FIGURES = ROOT / "docs/figures.md"
BEGIN, END = "<!-- guard -->", "<!-- end of guard -->"
MODELS = ["date-attention", "toy-mt-convs2s", "masked-bert", "tatoeba-bahdanau", "story-gpt", "tatoeba-transformer",
          "copy-ntm"]
NUMBER = r" *([0-9.]+)"


class Measurement:
    """A command, and what is read from what it prints: (name, pattern with one number, whether it is a ratio)."""

    def __init__(self, command, figures, rounds=3, display=False):
        self.command, self.figures, self.rounds, self.display = command, figures, rounds, display
        self.values = {name: [] for name, _, _ in figures}

    def run(self):
        command = [str(BUILD / self.command[0])] + self.command[1:]
        environment = dict(os.environ)
        if self.display:
            if not shutil.which("xvfb-run"):
                return print(f"left out, there is no xvfb-run: {' '.join(self.command)}", file=sys.stderr)
            command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24"] + command
        else:
            environment["QT_QPA_PLATFORM"] = "offscreen"
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=900)
        for name, pattern, _ in self.figures:
            found = re.search(pattern, done.stdout)
            if found:
                self.values[name].append(float(found.group(1)))
        if done.returncode != 0:
            print(f"{' '.join(self.command)}: status {done.returncode}\n{done.stderr}", file=sys.stderr)


def latency(model, keystrokes, panels, what):
    return Measurement(["bench_latency", model, str(keystrokes), panels],
                       [(f"{model}, {what}: a key to the last paint, p50, ms", "p50" + NUMBER, False),
                        (f"{model}, {what}: p99, ms", "p99" + NUMBER, False),
                        (f"{model}, {what}: processor, ms", "processor" + NUMBER, False)])


def measurements(everything):
    models = sorted(p.name for p in (ROOT / "sample_models").iterdir() if p.is_dir()) if everything else MODELS
    yield from (latency(model, 200, "heatmap", "as it opens") for model in models)
    yield from (latency(model, 100, "map,heads,inspector", "map, heads, this number")
                for model in ["copy-transformer", "story-gpt"])
    yield Measurement(["bench_transformer", "1"],
                      [(f"encoder of BERT's size, T = {t}, of PyTorch's time", rf"T={t} .*ratio" + NUMBER, True)
                       for t in (16, 64, 128, 512)], rounds=2)
    trainings = [("attn_seq2seq", "256", "5"), ("bahdanau", "64", "8"), ("convs2s", "64", "8")]
    if everything:
        trainings += [("bahdanau", "256", "4"), ("convs2s", "256", "4"), ("transformer", "256", "5"),
                      ("decoder_only", "144", "5")]
    for kind, width, batches in trainings:
        yield Measurement(["bench_training", kind, width, batches, "1"],
                          [(f"a training step, {kind} {width}, of PyTorch's time", "at its best:" + NUMBER, True)])
    yield Measurement(["bench_start", "10"],
                      [("start of the process to the first picture, ms", "median" + NUMBER, False)], 1, display=True)


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    found = re.search(r"model name\s*: (.*)", text)
    model = re.search(r"model\s*: (\d+)", text)
    return f"{found.group(1) if found else 'unknown'} (model {model.group(1) if model else '?'}), {os.cpu_count()} cores"


def kept():
    """{name: (median, noise)} and the processor of the table."""
    text = FIGURES.read_text()
    table = text[text.find(BEGIN):text.find(END)] if BEGIN in text else ""
    rows = re.findall(r"^\| (.+?) \| ([0-9.]+) \| ([0-9.]+) \|$", table, re.M)
    named = re.search(r"^On (.*):$", table, re.M)
    return {name: (float(value), float(noise)) for name, value, noise in rows}, named.group(1) if named else ""


def keep(rows):
    lines = [BEGIN, f"On {processor()}:", "", "| what | median | noise |", "|---|---|---|"]
    lines += [f"| {name} | {value:.2f} | {noise:.2f} |" for name, value, noise, _ in rows] + [END]
    text = FIGURES.read_text()
    FIGURES.write_text(text[:text.find(BEGIN)] + "\n".join(lines) + text[text.find(END) + len(END):])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every bundled model, all sizes of PyTorch's models")
    parser.add_argument("--keep", action="store_true", help="write the table in docs/figures.md anew")
    parser.add_argument("--only", default="", help="measurements whose command has this word")
    asked = parser.parse_args()
    if asked.keep and asked.only:
        parser.error("--keep writes the whole table: leave --only out")
    chosen = [m for m in measurements(asked.all) if asked.only in " ".join(m.command)]
    missing = sorted({m.command[0] for m in chosen if not (BUILD / m.command[0]).exists()})
    if missing:
        parser.error(f"not built: {', '.join(missing)}; cmake --build --preset release --target {' '.join(missing)}")
    begun = time.monotonic()
    for turn in range(max(m.rounds for m in chosen)):
        for each in chosen:
            if turn < each.rounds:
                print(f"{time.monotonic() - begun:4.0f} s  {' '.join(each.command)}", file=sys.stderr, flush=True)
                each.run()
    before, machine = kept()
    rows = [(name, statistics.median(each.values[name]), (max(each.values[name]) - min(each.values[name])) / 2, ratio)
            for each in chosen for name, _, ratio in each.figures if each.values[name]]
    slower = 0
    for name, value, noise, ratio in rows:
        said = "new"
        if name in before and (ratio or machine == processor()):
            was, was_noise = before[name]
            is_slower = value > was * 1.1 + noise + was_noise
            slower += is_slower
            said = f"{value / was:5.2f} of {was:.2f}" + ("  SLOWER" if is_slower else "")
        elif name in before:
            said = "kept on another machine"
        print(f"{name:68s} {value:8.2f} ± {noise:6.2f}   {said}")
    print(f"{len(rows)} figures in {time.monotonic() - begun:.0f} s; {slower} became slower by more than their noise")
    if asked.keep:
        keep(rows)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
