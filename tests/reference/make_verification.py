#!/usr/bin/env python3
"""Writes verify.safetensors of the bundled models: the activation at every site, computed by PyTorch from the weights.

    /usr/bin/python3 tests/reference/make_verification.py [FOLDER...]      (needs python3-torch)

Reads config.json, vocabulary.json and model.safetensors, decodes the first example greedily in float64 with the models of
make_reference.py, and writes the result in float32. `headlight verify MODEL` compares the program with it.
"""

import json
import pathlib
import struct
import sys

import numpy as np
import torch

import make_reference as reference

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def read_safetensors(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(np.frombuffer(data[8 + size + t["data_offsets"][0]:8 + size + t["data_offsets"][1]],
                                                 reference.DTYPES[t["dtype"]]).astype("f8").reshape(t["shape"]))
            for name, t in header.items()}


def verification(folder):
    config = json.loads((folder / "config.json").read_text())
    vocabulary = json.loads((folder / "vocabulary.json").read_text())
    parameters = read_safetensors(folder / "model.safetensors")
    text, kind = config["text"], config["model_type"]
    typed = config["examples"][0]
    source = torch.tensor([vocabulary["source"].index(c) for c in typed.ljust(text["source_width"])])
    fed = [vocabulary["target"].index(text["bos"])]
    while True:  # a step more each time: slow, and independent of any decoder state
        sites, _ = reference.run(kind, parameters, source, torch.tensor(fed), torch.zeros(len(fed), dtype=torch.long),
                                 config["model"]["reverse_source"])
        chosen = int(sites[f"decoder.step[{len(fed) - 1}].output.logits"].argmax())
        if len(fed) == text["target_length"]:
            break
        fed.append(chosen)
    output = "".join(vocabulary["target"][i] for i in fed[1:] + [chosen])
    reference.write_safetensors(folder / "verify.safetensors", sites, "F32", {"source": typed, "tolerance": "1e-4"})
    print(f"{folder.name}: {typed!r} -> {output!r}, {len(sites)} sites")


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(p.parent for p in (ROOT / "sample_models").glob("*/config.json")):
        verification(pathlib.Path(name))
