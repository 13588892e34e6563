"""Files that other programs could have written, made to hurt: weights, checkpoints, arrays, settings, tokenizers.

Each has the message that it is refused with, word for word, in foreign_messages.json; an empty one: it is listed, or
runs. `foreign.py HEADLIGHT [NAME...]` prints what each is refused with now, for those who change a message.
"""

import io
import json
import os
import pathlib
import pickle
import random as randomness
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
MESSAGES = pathlib.Path(__file__).with_name("foreign_messages.json")


# Weights.

def safetensors(header, data=b"", size=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if size is None else size) + text + data


def one(**changes):
    entry = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
    entry.update(changes)
    return {"w": {key: value for key, value in entry.items() if value is not None}}


def weights():
    eight = b"\0" * 8
    yield "whole", safetensors(one(), eight)
    yield "empty file", b""
    yield "seven bytes", b"\0" * 7
    yield "only a length", struct.pack("<Q", 0)
    yield "length beyond the file", safetensors(one(), eight, 1000)
    yield "length of 2^63", safetensors(one(), eight, 1 << 63)
    yield "length of 2^64 - 1", safetensors(one(), eight, (1 << 64) - 1)
    yield "length of 100000001", safetensors(one(), eight, 100_000_001)
    yield "Git LFS pointer", (b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 90000\n")
    yield "web page", b"<!DOCTYPE html>\n<html><body>Not found</body></html>\n"
    yield "header cut off", safetensors(b'{"w": {"dtype"', eight)
    yield "header is a list", safetensors([], eight)
    yield "header is a number", safetensors(b"12345678")
    yield "junk in front", safetensors(b"x" + json.dumps(one()).encode(), eight)
    yield "mark in front", safetensors(b"\xef\xbb\xbf" + json.dumps(one()).encode(), eight)
    yield "junk behind", safetensors(json.dumps(one()).encode() + b"]", eight)
    yield "two objects", safetensors(b"{}{}")
    yield "zero bytes behind", safetensors(json.dumps(one()).encode() + b"\0\0", eight)
    yield "no UTF-8", safetensors(b'{"\xff": 1}')
    yield "lone surrogate", safetensors(b'{"\\ud800": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}', eight)
    yield "deep", safetensors(b'{"w":' + b"[" * 100_000)
    yield "deep metadata", safetensors(b'{"__metadata__": ' + b'{"a":' * 500 + b"1" + b"}" * 500 + b"}")
    yield "metadata of numbers", safetensors({"__metadata__": {"a": 1}, **one()}, eight)
    yield "metadata is a text", safetensors({"__metadata__": "a", **one()}, eight)
    yield "two of a name", safetensors(b'{"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, '
                                       b'"w": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}', eight)
    yield "two shapes", safetensors(b'{"w": {"dtype": "F32", "shape": [2], "shape": [2], "data_offsets": [0, 8]}}', eight)
    yield "no dtype", safetensors(one(dtype=None), eight)
    yield "no shape", safetensors(one(shape=None), eight)
    yield "no offsets", safetensors(one(data_offsets=None), eight)
    yield "unknown key", safetensors(one(stride=[1]), eight)
    yield "unknown dtype", safetensors(one(dtype="F99"), eight)
    yield "dtype in small letters", safetensors(one(dtype="f32"), eight)
    yield "dtype is a number", safetensors(one(dtype=32), eight)
    yield "tensor is null", safetensors({"w": None}, eight)
    yield "shape is a text", safetensors(one(shape="2"), eight)
    yield "shape of texts", safetensors(one(shape=["2"]), eight)
    yield "shape of fractions", safetensors(one(shape=[2.0]), eight)
    yield "shape of 1e0", safetensors(b'{"w": {"dtype": "F32", "shape": [2e0], "data_offsets": [0, 8]}}', eight)
    yield "negative shape", safetensors(one(shape=[-2]), eight)
    yield "shape beyond 2^48", safetensors(one(shape=[1 << 49, 0], data_offsets=[0, 0]))
    yield "shape beyond 2^64", safetensors(one(shape=[1 << 65]), eight)
    yield "shape that wraps", safetensors(one(shape=[1 << 32, 1 << 32], data_offsets=[0, 0]))
    yield "shape that wraps with its bytes", safetensors(one(shape=[1 << 31, 1 << 31, 1], data_offsets=[0, 0]))
    yield "shape of true", safetensors(one(shape=[True, 2]), eight)
    yield "100000 dimensions", safetensors(one(shape=[1] * 100_000 + [2]), eight)
    yield "larger than its bytes", safetensors(one(shape=[3]), eight)
    yield "smaller than its bytes", safetensors(one(shape=[1]), eight)
    yield "offsets backwards", safetensors(one(data_offsets=[8, 0]), eight)
    yield "one offset", safetensors(one(data_offsets=[8]), eight)
    yield "three offsets", safetensors(one(data_offsets=[0, 4, 8]), eight)
    yield "negative offset", safetensors(one(data_offsets=[-8, 0]), eight)
    yield "offsets beyond the file", safetensors(one(data_offsets=[8, 16]), eight)
    yield "offsets beyond 2^64", safetensors(one(data_offsets=[0, 1 << 70]), eight)
    yield "hole in front", safetensors(one(data_offsets=[4, 12]), b"\0" * 12)
    yield "hole", safetensors({**one(), "v": {"dtype": "U8", "shape": [1], "data_offsets": [9, 10]}}, b"\0" * 10)
    yield "overlap", safetensors({**one(), "v": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}}, b"\0" * 12)
    yield "the same bytes twice", safetensors({**one(), "v": one()["w"]}, eight)
    yield "a byte too many", safetensors(one(), eight + b"x")
    yield "a byte too few", safetensors(one(), eight[:-1])
    yield "name of nothing", safetensors({"": one()["w"]}, eight)
    yield "name of a million letters", safetensors({"w" * 1_000_000: one()["w"]}, eight)
    yield "name of controls", safetensors({"\x1b[2J\r\n": one(shape=[3])["w"]}, eight)
    yield "half a byte", safetensors(one(dtype="F4", shape=[1], data_offsets=[0, 1]), b"\0")


# Arrays.

def npy(shape="(2,)", descr="'<f4'", order="False", data=b"\0" * 8, version=b"\x01\x00", header=None, length=None):
    text = ("{'descr': %s, 'fortran_order': %s, 'shape': %s, }" % (descr, order, shape) if header is None else header)
    text = (text if isinstance(text, bytes) else text.encode("latin-1")) + b"\n"
    count = len(text) if length is None else length
    return b"\x93NUMPY" + version + (struct.pack("<H", count) if version[0] == 1 else struct.pack("<I", count)) + text + data


def arrays():
    yield "whole", npy()
    yield "empty file", b""
    yield "only its beginning", b"\x93NUMPY"
    yield "version 9", npy(version=b"\x09\x00")
    yield "version 0", npy(version=b"\x00\x00")
    yield "header beyond the file", npy(length=60_000)
    yield "header of 4 GB", npy(version=b"\x02\x00", length=0xffffffff)
    yield "no line end", npy()[:-9] + b"\0" * 8
    yield "no header", npy(header="")
    yield "header is a list", npy(header="[]")
    yield "header of code", npy(header="__import__('os').system('id')")
    yield "header calls", npy(header="{'descr': open('/etc/passwd'), 'fortran_order': False, 'shape': (2,)}")
    yield "header is no text", npy(header=b"\xff\xfe\xff")
    yield "no descr", npy(header="{'fortran_order': False, 'shape': (2,)}")
    yield "no shape", npy(header="{'descr': '<f4', 'fortran_order': False}")
    yield "no order", npy(header="{'descr': '<f4', 'shape': (2,)}")
    yield "unknown key", npy(header="{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}")
    yield "two of a key", npy(header="{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}")
    yield "objects", npy(descr="'|O'")
    yield "texts", npy(descr="'<U4'")
    yield "bytes", npy(descr="'|S4'")
    yield "complex", npy(descr="'<c8'")
    yield "dates", npy(descr="'<M8[ns]'")
    yield "fields", npy(descr="[('a', '<f4')]")
    yield "big-endian", npy(descr="'>f4'")
    yield "a type of no size", npy(descr="'<f'")
    yield "a type of a size that is not", npy(descr="'<f3'")
    yield "a number as type", npy(descr="4")
    yield "shape is a number", npy(shape="2")
    yield "shape is a list", npy(shape="[2]")
    yield "negative shape", npy(shape="(-2,)")
    yield "shape of fractions", npy(shape="(2.0,)")
    yield "shape of texts", npy(shape="('2',)")
    yield "shape beyond 2^48", npy(shape="(562949953421312, 0)", data=b"")
    yield "shape beyond 2^64", npy(shape="(36893488147419103232,)")
    yield "shape that wraps", npy(shape="(4294967296, 4294967296)", data=b"")
    yield "1000 dimensions", npy(shape="(" + "1, " * 1000 + "2)")
    yield "order is a number", npy(order="2")
    yield "larger than its bytes", npy(shape="(3,)")
    yield "smaller than its bytes", npy(shape="(1,)")
    yield "deep", npy(header="{'descr': " + "(" * 60_000, version=b"\x02\x00")


# Archives.

def archive(*entries, method=zipfile.ZIP_STORED):
    made = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w", method) as out:
        warnings.simplefilter("ignore")  # two entries of one name are meant
        for name, content in entries:
            out.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, method)
    return made.getvalue()


def patched(raw, signature, offset, new, which=0):
    at = -1
    for _ in range(which + 1):
        at = raw.index(signature, at + 1)
    return raw[:at + offset] + new + raw[at + offset + len(new):]


LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


def archives():
    whole = archive(("a.npy", npy()))
    yield "whole", whole
    yield "empty file", b""
    yield "no entries", archive()
    yield "only its beginning", b"PK\x03\x04"
    yield "no end", whole[:-22]
    yield "end cut off", whole[:-1]
    yield "cut in the middle", whole[:len(whole) // 2]
    yield "junk behind", whole + b"x" * 70_000
    yield "junk in front", b"x" * 100 + whole
    yield "wrong sum", patched(whole, b"NUMPY", 60, b"\x01")
    yield "wrong sum in the table", patched(whole, CENTRAL, 16, b"\0\0\0\0")
    yield "unknown method", patched(patched(whole, LOCAL, 8, b"\x0c\0"), CENTRAL, 10, b"\x0c\0")
    yield "encrypted", patched(patched(whole, LOCAL, 6, b"\x01\0"), CENTRAL, 8, b"\x01\0")
    yield "size of 4 GB", patched(whole, CENTRAL, 24, b"\xfe\xff\xff\xff")
    yield "packed size of 4 GB", patched(whole, CENTRAL, 20, b"\xfe\xff\xff\xff")
    yield "place beyond the file", patched(whole, CENTRAL, 42, b"\xff\xff\xff\x7f")
    yield "place in the table", patched(whole, CENTRAL, 42, struct.pack("<I", whole.index(CENTRAL)))
    yield "table beyond the file", patched(whole, END, 16, b"\xff\xff\xff\x7f")
    yield "table larger than the file", patched(whole, END, 12, b"\xff\xff\xff\x7f")
    yield "65535 entries", patched(patched(whole, END, 8, b"\xff\xff"), END, 10, b"\xff\xff")
    yield "two entries said", patched(patched(whole, END, 8, b"\2\0"), END, 10, b"\2\0")
    yield "two disks", patched(whole, END, 4, b"\1\0")
    yield "comment longer than the file", patched(whole, END, 20, b"\xff\xff")
    yield "two of a name", archive(("a.npy", npy()), ("a.npy", npy()))
    yield "way out of the folder", archive(("../../etc/passwd.npy", npy()))
    yield "absolute way", archive(("/tmp/a.npy", npy()))
    yield "name of nothing", archive(("", npy()))
    yield "name of controls", archive(("\x1b[2J.npy", npy(shape="(3,)")))
    yield "name that is no text", patched(patched(whole, LOCAL, 30, b"\xff"), CENTRAL, 46, b"\xff")
    yield "names that differ", patched(whole, LOCAL, 30, b"b")
    yield "no arrays", archive(("readme.txt", b"hello"))
    yield "an array of objects", archive(("a.npy", npy(descr="'|O'")))
    yield "an array cut off", archive(("a.npy", npy(shape="(30,)")))
    yield "a bomb", archive(("a.npy", npy(shape="(100000000,)", data=b"\0" * 400_000_000)), method=zipfile.ZIP_DEFLATED)
    yield "packed and damaged", patched(archive(("a.npy", npy(data=b"\0" * 8)), method=zipfile.ZIP_DEFLATED), LOCAL, 36, b"\xff\xff\xff")
    yield "overlap", patched(archive(("a.npy", npy()), ("b.npy", npy())), CENTRAL, 42, b"\0\0\0\0", 1)
    yield "an archive in it", archive(("a.npy", archive(("a.npy", npy()))))


# Checkpoints.

def pickled(body, protocol=b"\x80\x02"):
    return protocol + body + b"."


def text(s):
    raw = s.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def checkpoint(body, **entries):
    return archive(("archive/data.pkl", pickled(body)), ("archive/data/0", b"\0" * 24), ("archive/version", b"3\n"),
                   *[("archive/" + name, content) for name, content in entries.items()])


def tensor(key="0", stored=6, offset=b"K\0", size=b"K\6\x85", stride=b"K\1\x85", storage="FloatStorage"):
    return (b"ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + b"ctorch\n" + storage.encode() + b"\n" + text(key) +
            text("cpu") + b"K" + bytes([stored]) + b"tQ" + offset + size + stride + b"\x89ccollections\nOrderedDict\n)RtR")


def state(body):
    return b"}" + text("w") + body + b"s"


def checkpoints():
    yield "whole", checkpoint(state(tensor()))
    yield "behind its storage", checkpoint(state(tensor(offset=b"K\1")))
    yield "a stride too long", checkpoint(state(tensor(stride=b"K\2\x85")))
    yield "a storage that is not there", checkpoint(state(tensor(key="9")))
    yield "a storage outside", checkpoint(state(tensor(key="../../x")))
    yield "a storage that says too much", checkpoint(state(tensor(stored=200, size=b"K\x64\x85")))
    yield "negative size", checkpoint(state(tensor(size=b"J\xff\xff\xff\xff\x85")))
    yield "negative stride", checkpoint(state(tensor(stride=b"J\xff\xff\xff\xff\x85")))
    yield "size of 2^40 twice", checkpoint(state(tensor(size=b"\x8a\6\0\0\0\0\0\1\x8a\6\0\0\0\0\0\1\x86", stride=b"K\0K\0\x86")))
    yield "size of a text", checkpoint(state(tensor(size=text("6") + b"\x85")))
    yield "sizes without strides", checkpoint(state(tensor(size=b"K\2K\3\x86")))
    yield "unknown numbers", checkpoint(state(tensor(storage="QUInt8Storage")))
    yield "quantised", checkpoint(state(b"ctorch._utils\n_rebuild_qtensor\n)R"))
    yield "sparse", checkpoint(state(b"ctorch._utils\n_rebuild_sparse_tensor\n)R"))
    yield "os.system", checkpoint(b"cos\nsystem\n" + text("touch pwned") + b"\x85R")
    yield "posix.system", checkpoint(b"cposix\nsystem\n" + text("touch pwned") + b"\x85R")
    yield "eval", checkpoint(b"c__builtin__\neval\n" + text("1") + b"\x85R")
    yield "builtins.exec", checkpoint(b"cbuiltins\nexec\n" + text("1") + b"\x85R")
    yield "getattr", checkpoint(b"cbuiltins\ngetattr\n" + text("1") + text("x") + b"\x86R")
    yield "subprocess", checkpoint(b"csubprocess\nPopen\n" + text("id") + b"\x85R")
    yield "runpy", checkpoint(b"crunpy\n_run_code\n" + text("1") + b"}\x86R")
    yield "a global from the stack", checkpoint(b"X\2\0\0\0osX\6\0\0\0system\x93" + text("id") + b"\x85R")
    yield "build of an object", checkpoint(b"ctorch.nn\nLinear\n)\x81}" + text("__setstate__") + b"Nsb")
    yield "an extension", checkpoint(b"\x82\1")
    yield "old opcode i", checkpoint(b"(ios\nsystem\n")
    yield "old opcode o", checkpoint(b"(cos\nsystem\n" + text("id") + b"o")
    yield "no data.pkl", archive(("archive/data/0", b""))
    yield "two data.pkl", archive(("a/data.pkl", pickled(b"}")), ("b/data.pkl", pickled(b"}")))
    yield "TorchScript", checkpoint(state(tensor()), **{"constants.pkl": b"", "code/x.py": b""})
    yield "big-endian", checkpoint(state(tensor()), byteorder=b"big")
    yield "empty pickle", archive(("archive/data.pkl", b""))
    yield "pickle without end", archive(("archive/data.pkl", b"\x80\x02}"))
    yield "pickle goes on", archive(("archive/data.pkl", pickled(b"}") + b"x"))
    yield "protocol 0", archive(("archive/data.pkl", b"(dp0\n."))
    yield "protocol 9", archive(("archive/data.pkl", b"\x80\x09}."))
    yield "text of 4 GB", checkpoint(b"X\xff\xff\xff\xff")
    yield "text of 2^64 bytes", checkpoint(b"\x8d" + b"\xff" * 8)
    yield "number of 4 GB", checkpoint(b"\x8b\xff\xff\xff\x7f")
    yield "memory of 2^32", checkpoint(b"}r\xff\xff\xff\xff")
    yield "memory that is not there", checkpoint(b"j\5\0\0\0")
    yield "empty stack", checkpoint(b"0")
    yield "mark that is not there", checkpoint(b"N0t")
    yield "a list in itself", checkpoint(b"]q\0h\0a")
    yield "a dictionary in itself", checkpoint(b"}q\0" + text("a") + b"h\0s")
    yield "nested 100000 times", checkpoint(b"]" * 100_000 + b"a" * 99_999)
    yield "a million numbers", checkpoint(b"]" + b"(" + b"K\1" * 1_000_000 + b"e")
    yield "billion laughs", checkpoint(b"]q\0" + b"".join(b"](" + b"h" + bytes([n]) + b"h" + bytes([n]) + b"eq" + bytes([n + 1])
                                                         for n in range(60)))
    yield "a frame too long", archive(("archive/data.pkl", b"\x80\x04\x95" + b"\xff" * 8 + b"N."))
    yield "only numbers", checkpoint(b"K\1")
    yield "no tensors", checkpoint(b"}")


def pickles():
    yield "empty file", b""
    yield "only its beginning", b"\x80\x04"
    yield "protocol 0", pickle.dumps([1.0], 0)
    yield "os.system", pickled(b"cos\nsystem\n" + text("touch pwned") + b"\x85R")
    yield "a reduce of numpy", pickled(b"cnumpy.core.multiarray\n_reconstruct\n)R")
    yield "array of a wrong size", pickled(
        b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85C\1b\x87R(K\1K\x64\x85cnumpy\ndtype\n" + text("f4") +
        b"K\0K\1\x87R(K\3" + text("<") + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89C\4\0\0\0\0tb", b"\x80\x03")
    yield "array of objects", pickled(
        b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85C\1b\x87R(K\1K\1\x85cnumpy\ndtype\n" + text("O8") +
        b"K\0K\1\x87R(K\3" + text("|") + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ftb\x89]Natb", b"\x80\x03")
    yield "a number", pickle.dumps(5, 4)
    yield "texts", pickle.dumps(["a", {"b": "c"}], 4)
    yield "cut off", pickle.dumps({"a": [1.0, 2.0]}, 4)[:-3]


# Folders: one of the small ones in tests/data/families with one thing changed.

def config_of(family="bert-mlm", **changes):
    config = json.loads((DATA / "families" / family / "config.json").read_text())
    for key, value in changes.items():
        if value is ...:
            config.pop(key, None)
        else:
            config[key] = value
    return json.dumps(config)


def settings():
    """(name, family, content of config.json)"""
    yield "whole", "bert-mlm", config_of()
    yield "empty file", "bert-mlm", ""
    yield "no JSON", "bert-mlm", "{"
    yield "a list", "bert-mlm", "[]"
    yield "no UTF-8", "bert-mlm", b'{"model_type": "\xff"}'
    yield "two of a key", "bert-mlm", '{"model_type": "bert", "model_type": "gpt2"}'
    yield "deep", "bert-mlm", '{"a":' * 100_000
    yield "no model_type", "bert-mlm", config_of(model_type=...)
    yield "model_type is a number", "bert-mlm", config_of(model_type=5)
    yield "unknown model_type", "bert-mlm", config_of(model_type="wonder")
    yield "model_type of controls", "bert-mlm", config_of(model_type="\x1b[2J")
    yield "unknown architecture", "bert-mlm", config_of(architectures=["BertForWonders"])
    yield "architectures is a text", "bert-mlm", config_of(architectures="BertForMaskedLM")
    yield "quantised", "bert-mlm", config_of(quantization_config={"quant_method": "gptq", "bits": 4})
    yield "several media", "bert-mlm", config_of(text_config={"model_type": "bert"}, vision_config={})
    yield "unknown key", "bert-mlm", config_of(wonder_scale=2.0)
    yield "no hidden_size", "bert-mlm", config_of(hidden_size=...)
    yield "hidden_size 0", "bert-mlm", config_of(hidden_size=0)
    yield "negative hidden_size", "bert-mlm", config_of(hidden_size=-32)
    yield "hidden_size is a text", "bert-mlm", config_of(hidden_size="32")
    yield "hidden_size of a fraction", "bert-mlm", config_of(hidden_size=32.5)
    yield "hidden_size of 2^40", "bert-mlm", config_of(hidden_size=1 << 40)
    yield "another hidden_size", "bert-mlm", config_of(hidden_size=64)
    yield "no heads", "bert-mlm", config_of(num_attention_heads=0)
    yield "heads that do not divide", "bert-mlm", config_of(num_attention_heads=5)
    yield "layers of 10^9", "bert-mlm", config_of(num_hidden_layers=1_000_000_000)
    yield "more layers than the file", "bert-mlm", config_of(num_hidden_layers=9)
    yield "fewer layers than the file", "bert-mlm", config_of(num_hidden_layers=1)
    yield "no layers", "bert-mlm", config_of(num_hidden_layers=0)
    yield "another vocabulary", "bert-mlm", config_of(vocab_size=7)
    yield "another number of positions", "bert-mlm", config_of(max_position_embeddings=5)
    yield "unknown activation", "bert-mlm", config_of(hidden_act="wonder")
    yield "activation is a number", "bert-mlm", config_of(hidden_act=1)
    yield "epsilon of 0", "bert-mlm", config_of(layer_norm_eps=0)
    yield "epsilon is NaN", "bert-mlm", config_of(layer_norm_eps=float("nan"))
    yield "epsilon of 1e999", "bert-mlm", config_of().replace("1e-12", "1e999")
    yield "relative positions", "bert-mlm", config_of(position_embedding_type="relative_key")
    yield "a decoder", "bert-mlm", config_of(is_decoder=True)
    yield "cross attention", "bert-mlm", config_of(add_cross_attention=True)
    yield "unknown rope type", "qwen2", config_of("qwen2", rope_scaling={"rope_type": "wonder", "factor": 2.0})
    yield "rope factor 0", "qwen2", config_of("qwen2", rope_scaling={"rope_type": "linear", "factor": 0})
    yield "rope factor is a text", "qwen2", config_of("qwen2", rope_scaling={"rope_type": "linear", "factor": "2"})
    yield "rope without factor", "qwen2", config_of("qwen2", rope_scaling={"rope_type": "linear"})
    yield "rope is a number", "qwen2", config_of("qwen2", rope_scaling=2)
    yield "theta of 0", "qwen2", config_of("qwen2", rope_theta=0)
    yield "key heads that do not divide", "qwen2", config_of("qwen2", num_key_value_heads=3)
    yield "no key heads", "qwen2", config_of("qwen2", num_key_value_heads=0)
    yield "negative window", "gemma3", config_of("gemma3", sliding_window=-1)
    yield "unknown kind of layer", "gemma3", config_of("gemma3", layer_types=["wonder"] * 3)
    yield "kinds of too few layers", "gemma3", config_of("gemma3", layer_types=["full_attention"])
    yield "soft cap of 0", "gemma3", config_of("gemma3", attn_logit_softcapping=0)
    yield "unknown GPT-2 key", "gpt2", config_of("gpt2", scale_attn_by_wonder=True)
    yield "no n_head", "gpt2", config_of("gpt2", n_head=...)
    yield "inner size of a text", "gpt2", config_of("gpt2", n_inner="64")
    yield "start token beyond", "bart-forced-start", config_of("bart-forced-start", decoder_start_token_id=10 ** 9)
    yield "start token is a text", "bart-forced-start", config_of("bart-forced-start", decoder_start_token_id="2")
    yield "decoder heads that do not divide", "bart-forced-start", config_of("bart-forced-start", decoder_attention_heads=5)
    yield "no d_model", "bart-forced-start", config_of("bart-forced-start", d_model=...)


def generations():
    def with_key(**changes):
        config = json.loads((DATA / "families" / "gpt2" / "generation_config.json").read_text())
        config.update(changes)
        return json.dumps(config)
    yield "whole", with_key()
    yield "no JSON", "{"
    yield "a list", "[]"
    yield "bad words is a number", with_key(bad_words_ids=5)
    yield "bad words of texts", with_key(bad_words_ids=[["a"]])
    yield "bad word beyond the vocabulary", with_key(bad_words_ids=[[10 ** 9]])
    yield "negative end", with_key(eos_token_id=-1)
    yield "end is a text", with_key(eos_token_id="2")
    yield "repeated n-grams of a text", with_key(no_repeat_ngram_size="2")
    yield "negative n-grams", with_key(no_repeat_ngram_size=-2)
    yield "repetition penalty of 0", with_key(repetition_penalty=0)
    yield "repetition penalty is a text", with_key(repetition_penalty="1.2")
    yield "forced token beyond the vocabulary", with_key(forced_eos_token_id=10 ** 9)
    yield "suppressed is a number", with_key(suppress_tokens=5)
    yield "unknown key", with_key(wonder=True)
    yield "sampling", with_key(do_sample=True, temperature=0.5, top_k=3)


# Tokenizers.

def tokenizer(model=None, **parts):
    whole = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
             "pre_tokenizer": None, "post_processor": None, "decoder": None,
             "model": model or {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}}
    whole.update(parts)
    return json.dumps(whole)


def tokenizers():
    yield "whole", tokenizer()
    yield "empty file", ""
    yield "no JSON", '{"model": '
    yield "a list", "[]"
    yield "deep", "[" * 200_000
    yield "no model", '{"version": "1.0"}'
    yield "another version", tokenizer(version="9.0")
    yield "unknown key", tokenizer(wonder=1)
    yield "unknown model", tokenizer({"type": "Wonder", "vocab": {}})
    yield "vocabulary is a list", tokenizer({"type": "WordLevel", "vocab": ["a"], "unk_token": "a"})
    yield "number is a text", tokenizer({"type": "WordLevel", "vocab": {"a": "0"}, "unk_token": "a"})
    yield "negative number", tokenizer({"type": "WordLevel", "vocab": {"a": -1}, "unk_token": "a"})
    yield "number of 2^31", tokenizer({"type": "WordLevel", "vocab": {"a": 1 << 31}, "unk_token": "a"})
    yield "one number twice", tokenizer({"type": "WordLevel", "vocab": {"a": 0, "b": 0}, "unk_token": "a"})
    yield "unknown token is unknown", tokenizer({"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "x"})
    yield "WordPiece without a prefix", tokenizer({"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "a"})
    yield "words of a negative length", tokenizer({"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "a",
                                                   "continuing_subword_prefix": "##", "max_input_chars_per_word": -1})
    yield "merge of nothing", tokenizer({"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]})
    yield "merge of one", tokenizer({"type": "BPE", "vocab": {"a": 0}, "merges": ["a"]})
    yield "merge of three", tokenizer({"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "a", "a"]]})
    yield "merge is a number", tokenizer({"type": "BPE", "vocab": {"a": 0}, "merges": [5]})
    yield "merges are a text", tokenizer({"type": "BPE", "vocab": {"a": 0}, "merges": "a a"})
    yield "merge without its result", tokenizer({"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b"]})
    yield "dropout", tokenizer({"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.5})
    yield "Unigram of nothing", tokenizer({"type": "Unigram", "vocab": [], "unk_id": 0})
    yield "Unigram of texts", tokenizer({"type": "Unigram", "vocab": ["a"], "unk_id": 0})
    yield "Unigram with an unknown beyond", tokenizer({"type": "Unigram", "vocab": [["a", 0.0]], "unk_id": 9})
    yield "Unigram score is a text", tokenizer({"type": "Unigram", "vocab": [["a", "0"]], "unk_id": 0})
    yield "unknown normalizer", tokenizer(normalizer={"type": "Wonder"})
    yield "normalizer is a text", tokenizer(normalizer="NFC")
    yield "normalizers nested deep", tokenizer(normalizer=json.loads('{"type": "Sequence", "normalizers": [' * 200 + '{"type": "NFC"}' +
                                                                     "]}" * 200))
    yield "pattern that is none", tokenizer(normalizer={"type": "Replace", "pattern": {"Regex": "("}, "content": ""})
    yield "pattern of nothing", tokenizer(normalizer={"type": "Replace", "pattern": {"String": ""}, "content": "x"})
    yield "pattern of a million letters", tokenizer(normalizer={"type": "Replace", "pattern": {"Regex": "a" * 1_000_000}, "content": ""})
    yield "map that is no base64", tokenizer(normalizer={"type": "Precompiled", "precompiled_charsmap": "!"})
    yield "map that is cut off", tokenizer(normalizer={"type": "Precompiled", "precompiled_charsmap": "/////w=="})
    yield "unknown pre-tokenizer", tokenizer(pre_tokenizer={"type": "Wonder"})
    yield "unknown option", tokenizer(pre_tokenizer={"type": "ByteLevel", "add_prefix_space": True, "wonder": 1})
    yield "option is a number", tokenizer(pre_tokenizer={"type": "ByteLevel", "add_prefix_space": 1})
    yield "unknown behaviour", tokenizer(pre_tokenizer={"type": "Split", "pattern": {"String": "x"}, "behavior": "Wonder"})
    yield "replacement of two letters", tokenizer(pre_tokenizer={"type": "Metaspace", "replacement": "xy", "prepend_scheme": "always"})
    yield "unknown scheme", tokenizer(pre_tokenizer={"type": "Metaspace", "replacement": "_", "prepend_scheme": "wonder"})
    yield "unknown post-processor", tokenizer(post_processor={"type": "Wonder"})
    yield "template of a third text", tokenizer(post_processor={"type": "TemplateProcessing", "single": [
        {"Sequence": {"id": "C", "type_id": 0}}], "pair": [], "special_tokens": {}})
    yield "template of a token that is not there", tokenizer(post_processor={"type": "TemplateProcessing", "single": [
        {"SpecialToken": {"id": "[X]", "type_id": 0}}], "pair": [], "special_tokens": {}})
    yield "template is a text", tokenizer(post_processor={"type": "TemplateProcessing", "single": "$A", "pair": [], "special_tokens": {}})
    yield "BERT without its marks", tokenizer(post_processor={"type": "BertProcessing"})
    yield "unknown decoder", tokenizer(decoder={"type": "Wonder"})
    yield "added without a number", tokenizer(added_tokens=[{"content": "x"}])
    yield "added without a text", tokenizer(added_tokens=[{"id": 5}])
    yield "added of nothing", tokenizer(added_tokens=[{"id": 5, "content": "", "special": True}])
    yield "added beyond 2^31", tokenizer(added_tokens=[{"id": 1 << 40, "content": "x"}])
    yield "added is a text", tokenizer(added_tokens=["x"])
    yield "truncation is a text", tokenizer(truncation="512")


def piece(content, score=0.0, kind=1):
    raw = content if isinstance(content, bytes) else content.encode()
    body = b"\x0a" + bytes([len(raw)]) + raw + b"\x15" + struct.pack("<f", score) + b"\x18" + bytes([kind])
    return b"\x0a" + bytes([len(body)]) + body


def piece_models():
    yield "empty file", b""
    yield "cut off", b"\x0a\x7f"
    yield "2^64 bytes", b"\x0a" + b"\xff" * 9 + b"\x01"
    yield "a number without end", b"\xff" * 12
    yield "a group", b"\x0b"
    yield "field 0", b"\x02\x01a"
    yield "a piece of no text", piece(b"\xff\xfe")
    yield "a score that is NaN", piece("a", float("nan"))
    yield "a score of infinity", piece("a", float("inf"))
    yield "a type that is none", piece("a", 0, 9)
    yield "no unknown piece", piece("a") + piece("b")
    yield "two unknown pieces", piece("<unk>", 0, 2) + piece("<u>", 0, 2)
    yield "the same piece twice", piece("<unk>", 0, 2) + piece("a") + piece("a")
    yield "a web page", b"<!DOCTYPE html><html></html>"


# Shards and what leads to them.

def indexes():
    """(name, content of model.safetensors.index.json); the one shard a.safetensors holds the tensor w."""
    def index(weight_map, **more):
        return json.dumps({"metadata": {"total_size": 8}, "weight_map": weight_map, **more})
    yield "whole", index({"w": "a.safetensors"})
    yield "no JSON", "{"
    yield "a list", "[]"
    yield "no map", "{}"
    yield "map is a list", index(["w"])
    yield "empty map", index({})
    yield "file is a number", index({"w": 5})
    yield "file that is not there", index({"w": "b.safetensors"})
    yield "file outside", index({"w": "../a.safetensors"})
    yield "absolute file", index({"w": "/etc/passwd"})
    yield "file of a folder", index({"w": "."})
    yield "tensor that is not there", index({"w": "a.safetensors", "v": "a.safetensors"})
    yield "tensor that is not named", index({"v": "a.safetensors"})
    yield "file of controls", index({"w": "\x1b[2J.safetensors"})
    yield "two of a name", '{"weight_map": {"w": "a.safetensors", "w": "b.safetensors"}}'


def captured():
    """Arrays of attention: (name, {entry: (shape, numbers)})."""
    def whole(shape, value=0.25):
        count = 1
        for n in shape:
            count *= n
        return npy(shape=repr(tuple(shape)), data=struct.pack("<f", value) * count)
    tokens = npy(shape="(4,)", descr="'<U1'", data=b"a\0\0\0" * 4)
    good = whole((1, 2, 4, 4))
    yield "whole", {"attentions.0": good, "tokens": tokens}
    yield "no tokens", {"attentions.0": good}
    yield "tokens of numbers", {"attentions.0": good, "tokens": npy(shape="(4,)", data=b"\0" * 16)}
    yield "tokens that are no characters", {"attentions.0": good, "tokens": npy(shape="(4,)", descr="'<U1'", data=b"\xff" * 16)}
    yield "two dimensions more", {"tokens": tokens, "attentions.0": whole((1, 1, 1, 2, 4, 4))}
    yield "one dimension", {"tokens": tokens, "attentions.0": whole((4,))}
    yield "no heads", {"tokens": tokens, "attentions.0": whole((1, 0, 4, 4))}
    yield "no queries", {"tokens": tokens, "attentions.0": whole((1, 2, 0, 4))}
    yield "layers of other sizes", {"tokens": tokens, "attentions.0": good, "attentions.1": whole((1, 2, 5, 5))}
    yield "a layer is missing", {"tokens": tokens, "attentions.0": good, "attentions.2": good}
    yield "not a number", {"tokens": tokens, "attentions.0": whole((1, 2, 4, 4), float("nan"))}
    yield "larger than one", {"tokens": tokens, "attentions.0": whole((1, 2, 4, 4), 5.0)}
    yield "negative", {"tokens": tokens, "attentions.0": whole((1, 2, 4, 4), -0.25)}
    yield "whole numbers", {"tokens": tokens, "attentions.0": npy(shape="(1, 2, 4, 4)", descr="'<i4'", data=b"\0" * 128)}
    yield "objects", {"tokens": tokens, "attentions.0": npy(shape="(1, 2, 4, 4)", descr="'|O'", data=b"\0" * 256)}
    yield "tokens of another length", {"attentions.0": good, "tokens": npy(shape="(3,)", descr="'<U1'", data=b"a\0\0\0" * 3)}
    yield "second text beyond the first", {"tokens": tokens, "attentions.0": good, "sentence_b_start": npy(shape="()", descr="'<i8'", data=struct.pack("<q", 99))}


FILES = {"weights": (weights, "w.safetensors"), "arrays": (arrays, "a.npy"), "archives": (archives, "a.npz"),
         "checkpoints": (checkpoints, "c.pt"), "pickles": (pickles, "p.pkl")}


def cases():
    """(name, make, words): make(folder) writes what the program is then given."""
    for group, (all_of, file) in FILES.items():
        for name, content in all_of():
            yield (group + ": " + name, lambda folder, content=content, file=file: (folder / file).write_bytes(content),
                   ["inspect", file])

    def family(folder, name, **files):
        shutil.copytree(DATA / "families" / name, folder / "model", ignore=shutil.ignore_patterns("reference.npz"))
        for file, content in files.items():
            path = folder / "model" / file.replace("__", ".")
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))

    run = ["run", "model", "--ids", "5,6,7", "--json"]
    for name, of, content in settings():
        yield "settings: " + name, lambda folder, of=of, content=content: family(folder, of, config__json=content), run
    for name, content in generations():
        yield ("generation: " + name, lambda folder, content=content: family(folder, "gpt2", generation_config__json=content),
               ["run", "model", "--ids", "5,6,7", "--new-tokens", "2", "--json"])
    tokenize = ["tokenize", "model", "--texts", "texts.json", "--json"]
    for name, content in tokenizers():
        def make(folder, content=content):
            family(folder, "bert-mlm", tokenizer__json=content)
            (folder / "texts.json").write_text('["a b", "b"]')
        yield "tokenizer: " + name, make, tokenize
    for name, content in piece_models():
        def make(folder, content=content):
            family(folder, "bart-forced-start")
            config = json.loads((folder / "model" / "config.json").read_text())
            (folder / "model" / "config.json").write_text(json.dumps(config))
            (folder / "model" / "sentencepiece.bpe.model").write_bytes(content)
            (folder / "model" / "spiece.model").write_bytes(content)
            (folder / "texts.json").write_text('["a b", "b"]')
        yield "pieces: " + name, make, tokenize
    for name, content in indexes():
        def make(folder, content=content):
            (folder / "model").mkdir()
            (folder / "model" / "config.json").write_text(config_of())
            (folder / "model" / "model.safetensors.index.json").write_text(content)
            (folder / "model" / "a.safetensors").write_bytes(safetensors(one(), b"\0" * 8))
        yield "index: " + name, make, ["inspect", "model"]
    for name, entries in captured():
        def make(folder, entries=entries):
            (folder / "set.npz").write_bytes(archive(*[(entry + ".npy", raw) for entry, raw in entries.items()]))
        yield "captured: " + name, make, ["render", "set.npz", "--view", "heads", "--text", "0", "--out", "out.png"]


def telling(_):
    expected = json.loads(MESSAGES.read_text())
    for name, make, words in cases():
        def act(place, name=name, make=make, words=words):
            make(place.folder)
            outcome = place.run(*words)
            place.check(outcome.message == expected.get(name), "expected %r, found %r" % (expected.get(name), outcome.message))
            place.check(not (place.folder / "pwned").exists(), "it ran what the file says")
        yield name, act


def drawn(_, random):
    """A byte, or a few, of any of them changed, or its end cut off."""
    chosen = [case for case in cases() if case[0].split(":")[0] in FILES]
    while True:
        name, make, words = random.choice(chosen)
        seed = random.random()

        def act(place, make=make, words=words, seed=seed):
            random_bytes = randomness.Random(seed)
            make(place.folder)
            for path in [p for p in place.folder.rglob("*") if p.is_file()][:1]:
                raw = bytearray(path.read_bytes()[:1 << 20])
                if random_bytes.random() < 0.3:
                    raw = raw[:random_bytes.randrange(len(raw) + 1)]
                for _ in range(random_bytes.choice((1, 1, 2, 8)) if raw else 0):
                    raw[random_bytes.randrange(min(len(raw), 400))] = random_bytes.randrange(256)
                path.write_bytes(bytes(raw))
            place.run(*words)
        yield "changed bytes of " + name, act


def main():
    for name, make, words in cases():
        if sys.argv[2:] and not any(name.startswith(wanted) for wanted in sys.argv[2:]):
            continue
        with tempfile.TemporaryDirectory() as folder:
            make(pathlib.Path(folder))
            done = subprocess.run([os.path.abspath(sys.argv[1]), *words], cwd=folder, capture_output=True, timeout=120)
            print(json.dumps({name: done.stderr.decode("utf-8", "replace").strip(), "status": done.returncode}, ensure_ascii=False))


if __name__ == "__main__":
    main()
