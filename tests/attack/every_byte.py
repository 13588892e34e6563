"""Small files of every format, cut off at every byte and with every byte changed: each loads or is refused by name.

Of the tests it is a part (every 23rd place); alone, `attack.py HEADLIGHT every_byte`, it is all of them.
"""

import json
import shutil
import struct

import foreign
from foreign import DATA, archive, checkpoint, npy, one, piece, pickled, safetensors, state, tensor, text

CHANGES = (0x01, 0x80, 0xff)  # what a byte is changed by: its last bit, its first, all of them
IN_ONE = 200  # runs in one attack
QUICK = 23


def _array(values):
    """A NumPy array of float32 as a pickle holds it."""
    data = struct.pack("<%df" % len(values), *values)
    return pickled(b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85C\1b\x87R(K\1K" + bytes([len(values)]) +
                   b"\x85cnumpy\ndtype\n" + text("f4") + b"K\0K\1\x87R(K\3" + text("<") + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89C" +
                   bytes([len(data)]) + data + b"tb", b"\x80\x03")


def _two():
    return safetensors({"__metadata__": {"format": "pt"}, **one(), "v": {"dtype": "BF16", "shape": [1, 2], "data_offsets": [8, 12]}},
                       b"\0" * 12)


def _in_folder(family, file):
    """The folder of a family, with `file` put in it."""
    def prepare(folder):
        if not (folder / "model").exists():
            shutil.copytree(DATA / "families" / family, folder / "model", ignore=shutil.ignore_patterns("reference.npz"))
        return folder / "model" / file
    return prepare


def _beside(folder_of, file, words):
    def prepare(folder):
        for path in sorted((DATA / folder_of).iterdir()):
            if path.is_file() and path.suffix in (".pt", ".txt"):
                shutil.copy(path, folder)
        return folder / file
    return prepare, words


def _alone(file):
    return lambda folder: folder / file


def _shards(folder):
    (folder / "model").mkdir(exist_ok=True)
    (folder / "model" / "config.json").write_text(foreign.config_of())
    (folder / "model" / "a.safetensors").write_bytes(safetensors(one(), b"\0" * 8))
    return folder / "model" / "model.safetensors.index.json"


def _with_texts(prepare):
    def again(folder):
        (folder / "texts.json").write_text('["a b", "b"]')
        return prepare(folder)
    return again


def _with_words(prepare):
    def again(folder):
        path = prepare(folder)
        (path.parent / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n")
        return path
    return again


def _list(folder):
    _with_words(_in_folder("bert-mlm", "tokenizer_config.json"))(folder)
    return folder / "list.jsonl"


def _recording():
    """A training of two moments with one probe and one map."""
    moment = {"update": 0, "read": 0, "layer_gradients": [], "written": [],
              "probes": [{"output": ["a"], "probability": [0.5], "right": [True]}]}
    for name in ("seconds", "loss", "right_trained", "right_unseen", "perplexity", "looks_right", "concentration", "learning_rate",
                 "gradient_norm"):
        moment[name] = None if name == "loss" else 0.5
    recording = {"settings": {"task": "copy", "architecture": "luong", "model": {}, "epochs": 1, "seed": 1}, "title": "t",
                 "task_title": "c", "recorded_at": "", "machine": "", "numbers": 2, "longest": 1, "examples": 3, "held_out": 1, "updates": 1,
                 "reads": 4, "thinned": False, "whole": True, "failure": None, "starts": [], "layers": ["e"],
                 "probes": [{"source": "1", "target": "a", "alignment": [[0, 0]], "source_tokens": ["1"], "target_tokens": ["a"]}],
                 "maps": [{"name": "w", "layer": -1, "head": -1, "self": False}], "parameters": [{"name": "e.W", "shape": [2]}],
                 "moments": [moment, {**moment, "update": 1, "read": 4}]}
    shapes = {"moment[0].probe[0].attention": [1, 1, 1], "moment[1].probe[0].attention": [1, 1, 1], "moment[1].weights": [2]}
    header, at = {"__metadata__": {"format": "headlight.training", "version": "1",
                                   "recording": json.dumps(recording, separators=(",", ":"))}}, 0
    for name, shape in shapes.items():
        size = 2 * shape[-1]
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    return safetensors(header, b"\0" * at)


def _mapping():
    begun = json.loads((DATA.parents[1] / "docs" / "mappings" / "gru-attention.json").read_text())
    return json.dumps(begun, separators=(",", ":")).encode()


def gguf(layers):
    """A llama with its tokenizer; without layers there is nothing to run."""
    def number(kind, value):
        return struct.pack("<" + kind, value)

    def words(value):
        return number("Q", len(value.encode())) + value.encode()

    tokens = ["<unk>", "<s>", "</s>", "\u2581", "a", "b", "ab", "<0x41>"]
    keys = [("general.architecture", 8, words("llama")), ("tokenizer.ggml.model", 8, words("llama"))]
    keys += [("llama." + key, 4, number("I", value)) for key, value in (
        ("block_count", layers), ("context_length", 32), ("embedding_length", 32), ("feed_forward_length", 32), ("attention.head_count", 2))]
    keys += [("tokenizer.ggml.tokens", 9, number("I", 8) + number("Q", 8) + b"".join(map(words, tokens))),
             ("tokenizer.ggml.scores", 9, number("I", 6) + number("Q", 8) + struct.pack("<8f", *range(8))),
             ("tokenizer.ggml.token_type", 9, number("I", 5) + number("Q", 8) + struct.pack("<8i", 2, 3, 3, 1, 1, 1, 1, 6)),
             ("tokenizer.ggml.bos_token_id", 4, number("I", 1))]
    matrices = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"]
    shapes = [("token_embd", [32, 8], 8), ("output_norm", [32], 0)]
    for layer in range(layers):
        shapes += [("blk.%d.%s" % (layer, name), [32, 32], 2) for name in matrices]
        shapes += [("blk.%d.%s" % (layer, name), [32], 0) for name in ("attn_norm", "ffn_norm")]
    tensors = data = b""
    for name, shape, kind in shapes:
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        tensors += words(name + ".weight") + number("I", len(shape)) + b"".join(number("Q", n) for n in shape)
        tensors += number("I", kind) + number("Q", len(data))
        data += bytes({0: 4 * count, 2: count // 32 * 18, 8: count // 32 * 34}[kind])
        data += bytes(-len(data) % 32)
    front = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(keys))
    front += b"".join(words(key) + number("I", kind) + value for key, kind, value in keys) + tensors
    return front + bytes(-len(front) % 32) + data


ADAPTER = json.dumps({"peft_type": "LORA", "r": 2, "lora_alpha": 6, "rank_pattern": {"k_.*": 4}, "modules_to_save": ["norm"]},
                     separators=(",", ":")).encode()


def adapter_weights():
    """Of the query of the first layer of qwen2, whose matrix is [32 x 32]."""
    module = "base_model.model.model.layers.0.self_attn.q_proj.lora_"
    return safetensors({module + "A.weight": {"dtype": "F16", "shape": [2, 32], "data_offsets": [0, 128]},
                        module + "B.weight": {"dtype": "F16", "shape": [32, 2], "data_offsets": [128, 256]}}, b"\0" * 256)


def _adapter(file):
    def prepare(folder):
        if not (folder / "adapter").exists():
            shutil.copytree(DATA / "families" / "qwen2", folder / "model", ignore=shutil.ignore_patterns("reference.npz"))
            (folder / "adapter").mkdir()
            (folder / "adapter" / "adapter_config.json").write_bytes(ADAPTER)
            (folder / "adapter" / "adapter_model.safetensors").write_bytes(adapter_weights())
        return folder / "adapter" / file
    return prepare, ["run", "model", "--adapter", "adapter", "--ids", "5,6", "--json"]


def files():
    """(name, content, prepare, words): prepare(folder) says where the content goes, and writes what else is needed."""
    yield "safetensors", _two(), _alone("w.safetensors"), ["inspect", "w.safetensors", "--json"]
    yield "npy", npy(shape="(1, 2)"), _alone("a.npy"), ["inspect", "a.npy", "--json"]
    yield "npz", archive(("a.npy", npy()), ("b.npy", npy(descr="'<i8'", shape="()"))), _alone("a.npz"), ["inspect", "a.npz", "--json"]
    yield "torch", checkpoint(state(tensor())), _alone("c.pt"), ["inspect", "c.pt", "--json"]
    yield "pickle", _array([1.0, 2.0]), _alone("p.pkl"), ["inspect", "p.pkl", "--json"]
    yield ("tokenizer", foreign.tokenizer(normalizer={"type": "NFC"}, pre_tokenizer={"type": "Whitespace"}).encode(),
           _with_texts(_in_folder("bert-mlm", "tokenizer.json")), ["tokenize", "model", "--texts", "texts.json", "--json"])
    yield ("pieces", piece("<unk>", 0, 2) + piece("\u2581", -1.0) + piece("a", -2.0) + piece("\u2581b", -3.0),
           _with_texts(_in_folder("bart-forced-start", "spiece.model")), ["tokenize", "model", "--texts", "texts.json", "--json"])
    added = {"added_tokens_decoder": {"7": {"content": "[E]", "lstrip": True}}, "pad_token": "[P]", "extra_special_tokens": ["a"]}
    yield ("added", json.dumps(added, separators=(",", ":")).encode(),
           _with_texts(_with_words(_in_folder("bert-mlm", "tokenizer_config.json"))),
           ["tokenize", "model", "--texts", "texts.json", "--json"])
    yield "config", foreign.config_of().encode(), _in_folder("bert-mlm", "config.json"), ["run", "model", "--ids", "5,6", "--json"]
    yield ("generation", json.dumps({"eos_token_id": [2, 5], "bad_words_ids": [[3, 4]], "repetition_penalty": 1.2}).encode(),
           _in_folder("gpt2", "generation_config.json"), ["run", "model", "--ids", "5,6", "--new-tokens", "2", "--json"])
    yield ("choosing", json.dumps({"num_beams": 2, "early_stopping": "never", "max_new_tokens": 3, "top_k": 5}).encode(),
           _in_folder("gpt2", "choose.json"), ["run", "model", "--ids", "5,6", "--choose", "model/choose.json", "--json"])
    yield "index", json.dumps({"metadata": {}, "weight_map": {"w": "a.safetensors"}}).encode(), _shards, ["inspect", "model", "--json"]
    prepare, words = _beside("pytorch/seq2seq", "m.json", ["run", "gru-attention.pt", "--mapping", "m.json", "--source", "x", "--json"])
    yield "mapping", _mapping(), prepare, words
    maps = npy(shape="(1, 2, 2, 2)", data=struct.pack("<f", 0.5) * 8)
    yield ("captured", archive(("attentions.npy", maps), ("tokens.npy", npy(shape="(2,)", descr="'<U1'", data=b"a\0\0\0b\0\0\0"))),
           _alone("set.npz"), ["run", "set.npz", "--source", "0", "--json"])
    yield "gguf", gguf(0), _alone("a.gguf"), ["inspect", "a.gguf", "--json"]
    yield "adapter", ADAPTER, *_adapter("adapter_config.json")
    yield "adapter_weights", adapter_weights(), *_adapter("adapter_model.safetensors")
    yield ("text_list", b'"a b"\n["a", "b\\u00e9"]\n{"text": "b", "label": 1}\n', _list,
           ["tokenize", "model", "--texts", "list.jsonl", "--json"])
    yield "recording", _recording(), _alone("r.training"), ["recording", "r.training", "--json"]


def _broken(content):
    """(what was done, content): every beginning, every change of every byte."""
    for length in range(len(content)):
        yield "cut off at byte %d" % length, content[:length]
    for at in range(len(content)):
        for change in CHANGES:
            yield "byte %d changed by %#04x" % (at, change), content[:at] + bytes([content[at] ^ change]) + content[at + 1:]


def telling(world):
    for name, content, prepare, words in files():
        broken = list(_broken(content))
        if world.options.quick:
            broken = broken[::QUICK]
        for first in range(0, len(broken), IN_ONE):
            def act(place, part=broken[first:first + IN_ONE], prepare=prepare, words=words):
                path = prepare(place.folder)
                for what, raw in part:
                    path.write_bytes(raw)
                    before = len(place.complaints)
                    place.run(*words)
                    if len(place.complaints) > before:
                        place.complaints[before] = what + ": " + place.complaints[before]
                        return  # the file stays as it was then
            yield "%s, %s to %s" % (name, broken[first][0], broken[min(first + IN_ONE, len(broken)) - 1][0]), act


def drawn(world, random):
    """Two changes at once."""
    every = list(files())
    while True:
        name, content, prepare, words = random.choice(every)
        places = [(random.randrange(len(content)), random.randrange(1, 256)) for _ in range(2)]

        def act(place, content=content, prepare=prepare, words=words, places=places):
            raw = bytearray(content)
            for at, change in places:
                raw[at] ^= change
            prepare(place.folder).write_bytes(bytes(raw))
            place.run(*words)
        yield "%s, bytes %s changed" % (name, places), act
