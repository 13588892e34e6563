#!/usr/bin/env python3
"""Calls the program as scripts will (docs/command-line.md) on the material of other libraries, and compares every array,
token and tensor with what these libraries wrote: reads the files itself, shares no code with the program.

    tests/reference/commands.py build/release/headlight [MATERIAL] [families|tokenizers|files|mappings|captured|changes ...]

MATERIAL is HEADLIGHT_HF, or ../shared/hf beside the sources. Needs NumPy."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
counts, wrong = {}, []


def count(kind, by=1):
    counts[kind] = counts.get(kind, 0) + by


def fail(where, what):
    wrong.append(where)
    print("WRONG %s: %s" % (where, str(what)[:300]), flush=True)


def load(path):
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def commas(numbers):
    return ",".join(str(int(n)) for n in np.ravel(numbers))


class Caller:
    def __init__(self, program, material, scratch):
        self.program, self.material, self.scratch = program, material, scratch
        self.dump = scratch / "dump.npz"

    def call(self, *words, refused=False):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True)
        if done.returncode != (2 if refused else 0) or (refused and done.stderr.count("\n") != 1):
            fail(" ".join(map(str, words)), "exit %d: %s" % (done.returncode, done.stderr.strip()))
            return None
        return done.stdout

    def json(self, *words):
        out = self.call(*words, "--json")
        return json.loads(out) if out is not None else None

    def families(self):
        folders = sorted((self.material / "families").iterdir()) + [self.material / "minilm"]
        for folder in folders:
            if (folder / "reference.npz").exists():
                self.family(folder)

    def family(self, folder):
        arrays = load(folder / "reference.npz")
        texts = {case["case"]: case for case in json.loads((folder / "cases.json").read_text())["cases"]}
        for case in sorted({name.split(".")[0] for name in arrays}):
            expected = {name[len(case) + 1:]: value for name, value in arrays.items() if name.startswith(case + ".")}
            where, ids = "%s %s" % (folder.name, case), expected.pop("input_ids")
            words = ["run", folder, "--ids", commas(ids)]
            if "token_type_ids" in expected:
                words += ["--type-ids", commas(expected.pop("token_type_ids"))]
            generated, target = expected.pop("generated", None), expected.pop("decoder_input_ids", None)
            expected.pop("generated_beam4", None)
            whole = words + (["--target-ids", commas(target)] if target is not None else [])
            if self.call(*whole, "--dump", self.dump, "--names", "library") is None:
                continue
            found = load(self.dump)
            for name, value in expected.items():
                if name not in found:
                    fail(where, "no array " + name)
                elif found[name].shape != value.shape:
                    fail(where, "%s: shape %s, expected %s" % (name, found[name].shape, value.shape))
                elif not np.abs(found[name].astype(float) - value).max() <= 1e-4 * np.abs(value).max():
                    fail(where, name + " differs")
                count("arrays")
            for names in ("headlight", "transformer_lens"):
                self.call(*whole, "--dump", self.dump, "--names", names)
                if not load(self.dump):
                    fail(where, "nothing under the names " + names)
            if generated is not None:
                made = self.json(*words, "--new-tokens", 12)
                first = len(np.ravel(ids)) if target is None else 1
                if made and (made["output_ids"] != np.ravel(generated).tolist()[first:] or not isinstance(made["output"], str)):
                    fail(where, "wrote %s" % made["output_ids"])
                count("outputs")
            text = texts.get(case, {})
            if not text.get("masked_token") and isinstance(text.get("text"), str):
                made = self.json("run", folder, "--source", text["text"])
                if made and made["ids"] != np.ravel(ids).tolist():
                    fail(where, "read as %s" % made["ids"])
                count("texts")
        out = self.call("verify", folder, folder / "reference.npz")
        if out is not None and any(name.endswith("generated_beam4") for name in arrays) and "not compared" not in out:
            fail(folder.name, "verify does not list generated_beam4")
        listed = self.json("inspect", folder)
        if listed and (listed["runs"] is not True or listed["reason"] is not None):
            fail(folder.name, "inspect: %s" % listed["reason"])
        self.tensors(folder, {t["name"]: t for t in listed["tensors"]} if listed else {})
        count("families")

    def tensors(self, folder, listed):
        """The list and the dump against the safetensors files themselves."""
        self.call("inspect", folder, "--dump", self.dump)
        dumped = load(self.dump)
        if set(listed) != set(dumped):
            fail(folder.name, "list and dump have other names")
        types = {"F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8"}
        for path in sorted(folder.glob("*.safetensors")):
            raw = path.read_bytes()
            n = int.from_bytes(raw[:8], "little")
            for name, entry in json.loads(raw[8:8 + n]).items():
                if name == "__metadata__":
                    continue
                begin, end = entry["data_offsets"]
                value = np.frombuffer(raw[8 + n + begin:8 + n + end], types[entry["dtype"]]).reshape(entry["shape"])
                if entry["dtype"] == "BF16":
                    value = (value.astype(np.uint32) << 16).view(np.float32)
                one = listed.get(name, {})
                if (one.get("shape"), one.get("dtype"), one.get("bytes")) != (entry["shape"], entry["dtype"], end - begin):
                    fail(folder.name, "inspect has %s" % one)
                if name not in dumped or not np.array_equal(dumped[name], value):
                    fail(folder.name, "dump of " + name)
                count("tensors")

    def tokenizers(self):
        for folder in sorted((self.material / "tokenizers").iterdir()) + [self.material / "minilm"]:
            golden = json.loads((folder / "golden.json").read_text())
            texts, pairs = golden["texts"], golden.get("pairs", [])
            file = self.scratch / "texts.json"
            file.write_text(json.dumps([t["text"] for t in texts] + [p["pair"] for p in pairs]))

            def compare(expected, names, *options):
                found = self.json("tokenize", folder, "--texts", file, *options) or []
                if len(found) != len(texts) + len(pairs):
                    fail(folder.name, "%d texts" % len(found))
                for i, (one, wanted) in enumerate(zip(found, expected)):
                    for name, theirs in names.items():
                        if theirs in wanted and one[name] != wanted[theirs]:
                            fail("%s %s %d" % (folder.name, options, i), "%s %s, expected %s" % (name, one[name], wanted[theirs]))
                    count("tokenized")
            if "special" in texts[0]:
                names = {name: name for name in ("ids", "tokens", "offsets", "type_ids")}
                compare([t["special"] for t in texts + pairs], names)
                compare([t["plain"] for t in texts] + [p.get("plain", {}) for p in pairs], names, "--plain")
            else:
                compare(texts, {"ids": "ids", "tokens": "tokens"})
                compare(texts, {"ids": "target_ids", "tokens": "target_tokens"}, "--target")

    def files(self):
        """What torch.save and pickle write in everyday use."""
        folder = self.material / "pytorch"
        values = {"checkpoint": "small", "data-parallel": "small", "lightning": "small", "whole-module": "small", "float64": "small",
                  "float16": "halves", "bfloat16": "halves"}
        for path in sorted(folder.iterdir()):
            if path.is_dir() or path.suffix == ".npz":
                continue
            if path.name in ("legacy-format.pt", "torchscript.pt"):
                self.call("inspect", path, "--json", refused=True)
                count("refused")
                continue
            listed = self.json("inspect", path)
            if listed is None:
                continue
            self.call("inspect", path, "--dump", self.dump)
            dumped = load(self.dump)
            if set(dumped) != {t["name"] for t in listed["tensors"]}:
                fail(path.name, "list and dump have other names")
            stem = "numpy-list" if path.suffix == ".pkl" else values.get(path.stem, path.stem)
            expected = load(folder / (stem + ".npz")) if (folder / (stem + ".npz")).exists() else {}
            if path.suffix == ".pkl":
                expected = {str(int(name)): value for name, value in expected.items()}
            if stem == "halves":
                expected = {name[len(path.stem) + 1:]: value for name, value in expected.items() if name.startswith(path.stem + ".")}
            for name, value in expected.items():
                for mine in (n for n in dumped if n == name or n.endswith("." + name)):
                    if dumped[mine].shape != value.shape or not np.array_equal(dumped[mine].astype(float), value.astype(float), True):
                        fail(path.name, mine + " differs")
                    count("numbers of files")
            count("files")

    def mappings(self):
        folder = self.material / "pytorch" / "seq2seq"
        for path in sorted((ROOT / "docs" / "mappings").glob("*.json")):
            weights = folder / (path.stem + ".pt")
            if not weights.exists():
                continue
            expected = load(weights.with_suffix(".npz"))
            made = self.json("run", weights, "--mapping", path, "--ids", commas(expected["source"]))
            if made and [step["id"] for step in made["steps"]] != np.ravel(expected["generated"]).tolist()[1:]:
                fail(path.name, "wrote %s" % [step["id"] for step in made["steps"]])
            count("mappings")

    def captured(self):
        for path in sorted((self.material / "captured").iterdir()):
            for text in (0, 3) if path.name.startswith("batch") else (0,):
                self.call("render", path, "--view", "heads", "--text", text, "--out", self.scratch / "heads.csv")
                count("captured texts")

    def changes(self):
        """What somebody changes in a model from elsewhere: a head that is off is one whose columns of the output matrix are
        zeros in the file, a hidden token has no weight and leaves its share to the others, a dragged weight is what the
        head's output is made of, a forced output has the probabilities of the logits behind it."""
        text = "The keys to the old cabinet are on the table."
        # The output matrix of a head, whether heads are its rows, our place, and the key of how many heads there are.
        for name, tensor, by_rows, place, heads in (
                ("gpt2", "transformer.h.0.attn.c_proj.weight", True, "decoder.layer[0].self_attn", "n_head"),
                ("llama3", "model.layers.0.self_attn.o_proj.weight", False, "decoder.layer[0].self_attn", "num_attention_heads"),
                ("gemma2", "model.layers.1.self_attn.o_proj.weight", False, "decoder.layer[1].self_attn", "num_attention_heads"),
                ("bert-mlm", "bert.encoder.layer.0.attention.output.dense.weight", False, "encoder.layer[0].self_attn", "num_attention_heads"),
                ("t5", "encoder.block.0.layer.0.SelfAttention.o.weight", False, "encoder.layer[0].self_attn", "num_heads"),
                ("t5", "decoder.block.1.layer.1.EncDecAttention.o.weight", False, "decoder.step[*].layer[1].cross_attn", "num_heads"),
                ("marian", "model.decoder.layers.0.self_attn.out_proj.weight", False, "decoder.step[*].layer[0].self_attn", "decoder_attention_heads"),
                ("bart", "model.encoder.layers.1.self_attn.out_proj.weight", False, "encoder.layer[1].self_attn", "encoder_attention_heads")):
            folder = self.material / "families" / name
            where = "%s %s" % (name, place)
            both = [place] + (["decoder.step[*]." + place[8:]] if place.startswith("decoder.layer") else [])
            off = self.traced(folder, text, *[site + ".head[1].out=0" for site in both])
            other = self.scratch / "without"
            if self.without_head(folder, other, tensor, by_rows, json.loads((folder / "config.json").read_text())[heads]):
                without = self.traced(other, text, "decoder.step[0].output.logits[0]*1")
                for site in sorted(n for n in without if n.endswith("output.logits")):
                    if site not in off or np.abs(off[site] - without[site]).max() > 1e-4 * np.abs(without[site]).max():
                        fail(where, "head off: " + site)
                    count("changed runs")
            if not place.startswith("decoder.step"):
                self.hidden_and_dragged(folder, where, text, place)
        for name in ("gpt2", "llama3", "t5", "marian", "bart"):
            self.forced(self.material / "families" / name, text)

    def traced(self, folder, text, *edits):
        self.call("run", folder, "--source", text, *[word for edit in edits for word in ("--edit", edit)], "--dump", self.dump)
        return load(self.dump)

    def without_head(self, folder, other, name, by_rows, heads):
        """A copy whose matrix has zeros for head 1, which are zeros in every type."""
        if other.exists():
            shutil.rmtree(other)
        shutil.copytree(folder, other)
        for path in other.glob("*.safetensors"):
            raw = bytearray(path.read_bytes())
            n = int.from_bytes(raw[:8], "little")
            entry = json.loads(raw[8:8 + n]).get(name)
            if entry is None:
                continue
            begin, end = entry["data_offsets"]
            rows, columns = entry["shape"]
            matrix = np.frombuffer(raw, np.uint8)[8 + n + begin:8 + n + end].reshape(rows, columns, -1)
            size = (rows if by_rows else columns) // heads
            if by_rows:
                matrix[size:2 * size] = 0
            else:
                matrix[:, size:2 * size] = 0
            path.write_bytes(raw)
            return True
        fail(folder.name, "no tensor " + name)
        return False

    def hidden_and_dragged(self, folder, where, text, place):
        plain = self.traced(folder, text, "decoder.step[0].output.logits[0]*1")[place + ".head.weights"]
        hidden = self.traced(folder, text, place + ".keep[:,2]=0")[place + ".head.weights"]
        expected = plain.copy()
        expected[:, :, 2] = 0
        rows = expected.sum(-1) > 1e-3  # the row of a causal model that sees itself alone
        expected = expected[rows] / expected[rows].sum(-1, keepdims=True)
        if np.abs(hidden[rows] - expected).max() > 1e-4:
            fail(where, "hidden token")
        run = self.traced(folder, text, place + ".head[1].weights[4,3]~0.5")
        dragged, expected = run[place + ".head.weights"], plain.copy()
        expected[1, 4] *= 0.5 / (1 - plain[1, 4, 3])
        expected[1, 4, 3] = 0.5
        values = run[place + ".head.v"]
        values = np.repeat(values, len(dragged) // len(values), 0)  # of grouped heads
        if np.abs(dragged - expected).max() > 1e-4 or np.abs(run[place + ".head.out"] - dragged @ values).max() > 1e-4:
            fail(where, "dragged weight")
        count("changed runs", 2)

    def forced(self, folder, text):
        """The probability of each token of an output that somebody wrote."""
        made = self.json("run", folder, "--source", text, "--target", "the cat sat")
        tokens = self.json("run", folder, "--source", text)
        if not made or not tokens:
            return
        ids, wanted = tokens["ids"], [step["id"] for step in made["steps"]]
        pair = any(value["name"].startswith("encoder_") for value in tokens["values"])
        if pair:
            start = json.loads((folder / "config.json").read_text()).get("decoder_start_token_id", 0)
            generation = folder / "generation_config.json"
            if generation.exists():
                start = json.loads(generation.read_text()).get("decoder_start_token_id", start)
            self.call("run", folder, "--ids", commas(ids), "--target-ids", commas([start] + wanted[:-1]), "--dump", self.dump)
        else:
            self.call("run", folder, "--ids", commas(ids + wanted[:-1]), "--dump", self.dump)
        logits = load(self.dump)["logits"].astype(float)[0 if pair else len(ids) - 1:]
        shares = np.exp(logits - logits.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        for t, step in enumerate(made["steps"]):
            if abs(step["probability"] - shares[t, step["id"]]) > 1e-4 * shares[t].max():
                fail(folder.name, "forced step %d: %g, expected %g" % (t, step["probability"], shares[t, step["id"]]))
            count("forced tokens")


def main():
    words = sys.argv[2:]
    material = pathlib.Path(words.pop(0)) if words and os.path.isdir(words[0]) else pathlib.Path(
        os.environ.get("HEADLIGHT_HF") or ROOT.parent / "shared" / "hf")
    with tempfile.TemporaryDirectory(prefix="headlight-commands-") as scratch:
        caller = Caller(os.path.abspath(sys.argv[1]), material, pathlib.Path(scratch))
        for part in words or ("families", "tokenizers", "files", "mappings", "captured", "changes"):
            getattr(caller, part)()
    print(", ".join("%d %s" % (n, kind) for kind, n in counts.items()) + "; %d wrong" % len(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
