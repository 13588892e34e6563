#!/usr/bin/env python3
"""Runs libFuzzer over every reader of files from elsewhere, goes on where it stopped, and counts.

    tests/fuzz/fuzz.py [READER...] [--runs N] [--seconds N]     so many executions, or so long, of each reader
    tests/fuzz/fuzz.py [READER...] --wanted                     until each has run as often as is wanted, however long
    tests/fuzz/fuzz.py --counts                                 what has run so far, and what is wanted
    tests/fuzz/fuzz.py --seeds                                  only writes the first files

The program is built first (clang-14 and libclang-rt-14-dev; no other test needs them): build/fuzz/fuzz_readers. What it
found worth keeping stays in build/fuzz/corpus/READER, what breaks a reader in build/fuzz/found/READER, the number of
executions in build/fuzz/executions.json. The first files are those of tests/attack: whole ones, and each that is refused.
"""

import argparse
import fcntl
import json
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "attack"))
import every_byte  # noqa: E402
import foreign  # noqa: E402

BUILD = ROOT / "build" / "fuzz"
DATA = ROOT / "tests" / "data"
PORTION = 120  # seconds, of a long run

READERS = ("safetensors", "zip", "npy", "npz", "torch", "pickle", "gguf", "adapter", "adapter_weights", "tokenizer", "pieces", "added", "config", "generation",
           "index", "mapping", "captured", "recording", "word_bank", "sentences",
           "texts", "links")
# Bytes of a file: larger ones only take time, and say the same again. (Archives and checkpoints need more.)
LARGEST = {reader: 16384 if reader in ("zip", "npz", "torch", "pickle", "captured", "gguf") else 4096 for reader in READERS}
FEW = 48  # tokens of a tokenizer to begin with, for the same reason
WANTED = {reader: 10 ** 8 if reader == "safetensors" else 10 ** 7 for reader in READERS}


def raw(content):
    return content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")


def few_pieces(model):
    """A SentencePiece model with its first pieces only, and without what is long (a table of characters): a message
    whose fields all have a length, the pieces number 1."""
    kept, at, pieces = b"", 0, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            value, byte = value | (model[at] & 127) << shift, model[at]
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value

    while at < len(model):
        start, tag, size = at, number(), number()
        at += size
        pieces += tag >> 3 == 1
        if size < 1024 and (tag >> 3 != 1 or pieces <= FEW):
            kept += model[start:at]
    return kept


def few_tokens(text):
    """A tokenizer.json with its first tokens only, and the merges that make them."""
    whole = json.loads(text)
    model = whole["model"]
    few = list(model["vocab"].items() if isinstance(model["vocab"], dict) else model["vocab"])[:FEW]
    model["vocab"] = dict(few) if isinstance(model["vocab"], dict) else few
    names = {token for token, _ in few}
    if "merges" in model:
        pairs = [merge.split(" ") if isinstance(merge, str) else merge for merge in model["merges"]]
        model["merges"] = [merge for merge, pair in zip(model["merges"], pairs) if {*pair, "".join(pair)} <= names]
    return json.dumps(whole, ensure_ascii=False)


def first_files(reader):
    """The content of each."""
    whole = {name: content for name, content, _, _ in every_byte.files()}
    if reader in whole:
        yield whole[reader]
    made = {"safetensors": foreign.weights, "npy": foreign.arrays, "zip": foreign.archives, "npz": foreign.archives,
            "torch": foreign.checkpoints, "pickle": foreign.pickles, "tokenizer": foreign.tokenizers, "pieces": foreign.piece_models,
            "generation": foreign.generations, "index": foreign.indexes}
    if reader in made:
        yield from (content for _, content in made[reader]())
    if reader == "gguf":
        yield every_byte.gguf(1)
        for folder in ("gguf/broken", "gguf"):  # where they are present
            for path in sorted((ROOT.parent / "shared" / "models" / folder).glob("*.gguf")):
                yield path.read_bytes()
    if reader in ("adapter", "adapter_weights"):
        name = "adapter_config.json" if reader == "adapter" else "adapter_model.safetensors"
        for path in sorted((ROOT.parent / "shared" / "models" / "adapters").glob("**/" + name)):
            yield path.read_bytes()
    if reader == "config":
        yield from (content for _, _, content in foreign.settings())
        for path in sorted(DATA.glob("*/*/config.json")):
            yield path.read_bytes()
    if reader == "captured":
        for _, entries in foreign.captured():
            yield foreign.archive(*[(name + ".npy", content) for name, content in entries.items()])
    patterns = {"torch": "pytorch/*.pt", "pickle": "pytorch/*.pkl", "npz": "pytorch/*.npz", "zip": "pytorch/*.npz",
                "tokenizer": "tokenizers/*/tokenizer.json", "pieces": "tokenizers/*/*.model",
                "added": "tokenizers/*/tokenizer_config.json", "generation": "families/*/generation_config.json"}
    for path in sorted(DATA.glob(patterns.get(reader, "none/none"))):
        content = path.read_bytes()
        yield content
        if reader in ("tokenizer", "pieces"):
            yield few_tokens(content) if reader == "tokenizer" else few_pieces(content)
    if reader == "word_bank":
        yield json.dumps({"name": "small", "languages": ["French", "English"],
                          "slots": [{"name": "who", "words": [["anna", "anna"], ["le chat", "the cat"]]},
                                    {"name": "does", "words": [["dort | dormi", "sleeps | slept"]]}],
                          "patterns": [{"for": {"who": ["le chat"]}, "source": "{who} a {does.2}", "target": "{who} did@a {does}"},
                                       {"source": "{who} {does}", "target": "{who} {does}"}]})
    if reader == "sentences":
        yield 'a b\tx y\r\nc = z\n"d, e",f\n\n'
    if reader == "texts":
        yield from ("text\tlabel\nIt was.\tplain\n", '{"text": "It was.", "second": "It is.", "target": "Es war."}\n["a", "b"]\n"c"\n',
                    '["a text", ["one", "two"], {"text": "three", "label": "x"}]')
    if reader == "links":
        yield from ("0-0 1-2 2p3 4?5", "encoder.layer[0].ffn.act[:,7]", "decoder.step[2].attention.weights[3]", "log p")
    if reader == "mapping":
        for path in sorted((ROOT / "docs" / "mappings").glob("*.json")):
            yield path.read_bytes()


def write_seeds(reader):
    folder = BUILD / "corpus" / reader
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(first_files(reader)):
        (folder / ("first-%03d" % number)).write_bytes(raw(content))
    for path in folder.iterdir():
        if path.stat().st_size > LARGEST[reader]:
            path.unlink()
    return folder


def words_of(reader):
    """The option for a dictionary: what keys and values are made of."""
    words = set()
    for content in first_files(reader):
        words.update(re.findall(rb'"([A-Za-z_][A-Za-z_0-9.]{2,40})"', raw(content)))
    path = BUILD / (reader + ".dict")
    path.write_text("".join('"%s"\n' % word.decode() for word in sorted(words)[:1500]))
    return ["-dict=%s" % path] if words else []


def counts():
    path = BUILD / "executions.json"
    return json.loads(path.read_text()) if path.exists() else {}


def add(reader, executions):
    with open(BUILD / "executions.lock", "w") as lock:  # several may run side by side, of different readers
        fcntl.flock(lock, fcntl.LOCK_EX)
        so_far = counts()
        so_far[reader] = so_far.get(reader, 0) + executions
        (BUILD / "executions.json").write_text(json.dumps(so_far, indent=1) + "\n")


def run_all_wanted(reader, options):
    """Portion by portion, so that little is lost when it is stopped. Whether nothing was found."""
    while counts().get(reader, 0) < WANTED[reader]:
        options.runs, options.seconds = WANTED[reader] - counts().get(reader, 0), PORTION
        if not run(reader, options):
            return False
    return True


def run(reader, options):
    """Whether nothing was found."""
    corpus, found = write_seeds(reader), BUILD / "found" / reader
    found.mkdir(parents=True, exist_ok=True)
    command = [str(BUILD / "fuzz_readers"), "--reader=" + reader, str(corpus), "-artifact_prefix=%s/" % found,
               *words_of(reader), "-print_final_stats=1", "-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=1024",
               "-max_len=%d" % LARGEST[reader], "-verbosity=0"]
    command += ["-runs=%d" % options.runs] if options.runs else []
    command += ["-max_total_time=%d" % options.seconds] if options.seconds else []
    # What is freed is kept for a while, so that its use is found; the files are small, and so may that be.
    environment = {**os.environ, "ASAN_OPTIONS": "malloc_context_size=4:quarantine_size_mb=16:" + os.environ.get("ASAN_OPTIONS", "")}
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, errors="replace", env=environment)
    counted = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    executions = int(counted.group(1)) if counted else 0
    add(reader, executions)
    print("%-12s %12d executions, %14d in all of %d" % (reader, executions, counts()[reader], WANTED[reader]), flush=True)
    if done.returncode:
        print(done.stderr[-6000:])
        print("again: build/fuzz/fuzz_readers --reader=%s FILE of %s" % (reader, found), flush=True)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("readers", nargs="*", metavar="READER", help="some of " + ", ".join(READERS))
    parser.add_argument("--runs", type=int, default=0, help="executions of each reader")
    parser.add_argument("--seconds", type=int, default=0, help="of each reader; 60 when neither is said")
    parser.add_argument("--wanted", action="store_true", help="until each has run as often as is wanted")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--seeds", action="store_true")
    options = parser.parse_args()
    unknown = [reader for reader in options.readers if reader not in READERS]
    if unknown:
        parser.error("there is no reader '%s'; there are %s" % (unknown[0], ", ".join(READERS)))
    readers = options.readers or READERS
    if options.counts:
        for reader in readers:
            print("%-12s %14d of %d" % (reader, counts().get(reader, 0), WANTED[reader]))
        return 0
    if options.seeds:
        for reader in readers:
            print("%-12s %d files" % (reader, len(list(write_seeds(reader).iterdir()))))
        return 0
    options.seconds = options.seconds or (0 if options.runs else 60)
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "fuzz"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", str(BUILD), "fuzz_readers"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    results = [(run_all_wanted if options.wanted else run)(reader, options) for reader in readers]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
