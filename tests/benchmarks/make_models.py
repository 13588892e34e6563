#!/usr/bin/python3
"""Folders of models in real sizes with random weights, as other libraries write them, for benchmarks. Nothing of them is kept.

usage: make_models.py FOLDER NAME...
  gpt2      124 M numbers, float32: 12 layers, 768 wide, 12 heads, 50,257 tokens, 1,024 positions
  gpt2-half the same in bfloat16
  bert      110 M numbers, float32: 12 layers, 768 wide, 12 heads, 30,522 tokens, 512 positions
  minilm    23 M numbers, float32: 6 layers, 384 wide, 12 heads, 30,522 tokens, 512 positions
  llama-1b  1.1 G numbers, bfloat16: 22 layers, 2,048 wide, 32 heads over 4, 32,000 tokens
  chat      134 M numbers, bfloat16: 30 layers, 576 wide, 9 heads over 3, 49,152 tokens, with a chat template
  half-b-q8_0, half-b-q4_k   0.5 G numbers as a GGUF file: a qwen3 of 20 layers, 1,024 wide, 16 heads over 8, 151,936 tokens; the
            second with Q4_K and the embeddings in Q6_K, as Q4_K_M has them
  sparse    no model: one file of 10 GB without contents, 100 float32 tensors

Each becomes FOLDER/NAME, or FOLDER/NAME.gguf. Needs NumPy. The seed is fixed: the files are the same every time.
"""
import json
import os
import sys

import numpy

F32, BF16 = "F32", "BF16"


def write(path, tensors, dtype):
    """tensors: (name, shape); normal with deviation 0.02, norms 1, biases 0."""
    size = 4 if dtype == F32 else 2
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, shape in tensors:
        end = at + size * int(numpy.prod(shape))
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    random = numpy.random.default_rng(1)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name, shape in tensors:
            count = int(numpy.prod(shape))
            is_norm = len(shape) == 1 and name.endswith("weight")
            for begin in range(0, count, 1 << 22):
                part = min(1 << 22, count - begin)
                if len(shape) == 1:
                    values = numpy.full(part, float(is_norm), numpy.float32)
                else:
                    values = random.standard_normal(part, numpy.float32) * numpy.float32(0.02)
                file.write(values.tobytes() if dtype == F32 else (values.view(numpy.uint32) >> 16).astype(numpy.uint16).tobytes())


def gpt2():
    config = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_layer": 12, "n_head": 12,
              "n_positions": 1024, "n_ctx": 1024, "vocab_size": 50257, "activation_function": "gelu_new",
              "layer_norm_epsilon": 1e-5, "bos_token_id": 50256, "eos_token_id": 50256}
    tensors = [("wte.weight", (50257, 768)), ("wpe.weight", (1024, 768))]
    for layer in range(12):
        h = f"h.{layer}."
        for norm in ("ln_1", "ln_2"):
            tensors += [(h + norm + ".weight", (768,)), (h + norm + ".bias", (768,))]
        for name, rows, columns in (("attn.c_attn", 768, 2304), ("attn.c_proj", 768, 768), ("mlp.c_fc", 768, 3072),
                                    ("mlp.c_proj", 3072, 768)):
            tensors += [(h + name + ".weight", (rows, columns)), (h + name + ".bias", (columns,))]
    return config, tensors + [("ln_f.weight", (768,)), ("ln_f.bias", (768,))]


def bert(size, layers, inner):
    config = {"model_type": "bert", "architectures": ["BertModel"], "hidden_size": size, "num_hidden_layers": layers,
              "num_attention_heads": 12, "intermediate_size": inner, "hidden_act": "gelu", "vocab_size": 30522,
              "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0}
    e = "embeddings."
    tensors = [(e + "word_embeddings.weight", (30522, size)), (e + "position_embeddings.weight", (512, size)),
               (e + "token_type_embeddings.weight", (2, size)), (e + "LayerNorm.weight", (size,)),
               (e + "LayerNorm.bias", (size,))]
    for layer in range(layers):
        h = f"encoder.layer.{layer}."
        for name, rows, columns in (("attention.self.query", size, size), ("attention.self.key", size, size),
                                    ("attention.self.value", size, size), ("attention.output.dense", size, size),
                                    ("intermediate.dense", inner, size), ("output.dense", size, inner)):
            tensors += [(h + name + ".weight", (rows, columns)), (h + name + ".bias", (rows,))]
        for norm in ("attention.output", "output"):
            tensors += [(h + norm + ".LayerNorm.weight", (size,)), (h + norm + ".LayerNorm.bias", (size,))]
    return config, tensors + [("pooler.dense.weight", (size, size)), ("pooler.dense.bias", (size,))]


def words(count):
    """A vocabulary in which every letter is a token."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    first = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + letter for letter in letters)]
    return first + [f"word{i}" for i in range(count - len(first))]


def llama(size=2048, layers=22, heads=32, groups=4, inner=5632, vocabulary=32000, tied=False):
    kept = size // heads * groups
    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": size, "num_hidden_layers": layers,
              "num_attention_heads": heads, "num_key_value_heads": groups, "intermediate_size": inner, "hidden_act": "silu",
              "vocab_size": vocabulary, "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
              "tie_word_embeddings": tied, "bos_token_id": 1, "eos_token_id": 2}
    tensors = [("model.embed_tokens.weight", (vocabulary, size))]
    for layer in range(layers):
        h = f"model.layers.{layer}."
        tensors += [(h + "input_layernorm.weight", (size,)), (h + "post_attention_layernorm.weight", (size,))]
        for name, rows, columns in (("self_attn.q_proj", size, size), ("self_attn.k_proj", kept, size),
                                    ("self_attn.v_proj", kept, size), ("self_attn.o_proj", size, size),
                                    ("mlp.gate_proj", inner, size), ("mlp.up_proj", inner, size),
                                    ("mlp.down_proj", size, inner)):
            tensors.append((h + name + ".weight", (rows, columns)))
    return config, tensors + [("model.norm.weight", (size,))] + ([] if tied else [("lm_head.weight", (vocabulary, size))])


def talk(folder, vocabulary):
    """A tokenizer in which every byte is a token, and a template in the manner of ChatML."""
    signs = [n for n in range(256) if 33 <= n <= 126 or 161 <= n <= 172 or 174 <= n <= 255]
    others = [n for n in range(256) if n not in signs]
    letters = [chr(n) for n in signs] + [chr(256 + n) for n in range(len(others))]
    marks = ["<|end|>", "<|im_start|>", "<|im_end|>"]
    words = marks + letters + [f"word{i}" for i in range(vocabulary - len(letters) - len(marks))]
    added = [{"id": i, "content": mark, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
             for i, mark in enumerate(marks)]
    bytes_ = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    tokenizer = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
                 "pre_tokenizer": bytes_, "post_processor": None, "decoder": bytes_,
                 "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                           "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                           "vocab": {word: i for i, word in enumerate(words)}, "merges": []}}
    template = ("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
                "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")
    for name, contents in (("tokenizer.json", tokenizer),
                           ("tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", "chat_template": template})):
        with open(os.path.join(folder, name), "w") as file:
            json.dump(contents, file)


def sparse(path):
    count = 25_000_000
    header = {f"layer.{i}.weight": {"dtype": F32, "shape": [5000, 5000], "data_offsets": [4 * count * i, 4 * count * (i + 1)]}
              for i in range(100)}
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + 400 * count)


def blocks(kind, count, random):
    """`count` quantised blocks with random numbers, of a deviation of about 0.02."""
    raw = random.integers(0, 256, (count, {"Q8_0": 34, "Q4_K": 144, "Q6_K": 210}[kind]), numpy.uint8)

    def put(at, value):
        raw[:, at:at + 2] = numpy.frombuffer(numpy.float16(value).tobytes(), numpy.uint8)
    if kind == "Q8_0":
        put(0, 0.02 / 74)
    elif kind == "Q4_K":  # scale times 0 to 15, less the least: 7.5 times as much
        put(0, 1e-4), put(2, 7.5e-4)
    else:
        put(208, 0.02 / 74 / 18)
    return raw


def gguf(path, kind):
    types, values = {"F32": 0, "Q8_0": 8, "Q4_K": 12, "Q6_K": 14}, {"F32": 1, "Q8_0": 32, "Q4_K": 256, "Q6_K": 256}
    bytes_of = {"F32": 4, "Q8_0": 34, "Q4_K": 144, "Q6_K": 210}
    layers, width, inner, heads, kept, size, vocabulary = 20, 1024, 3072, 16, 8, 128, 151936
    table = "Q6_K" if kind == "Q4_K" else kind
    tensors = [("token_embd", (vocabulary, width), table), ("output_norm", (width,), "F32")]
    for layer in range(layers):
        h = f"blk.{layer}."
        tensors += [(h + name, (rows,), "F32") for name, rows in (("attn_norm", width), ("ffn_norm", width), ("attn_q_norm", size),
                                                                  ("attn_k_norm", size))]
        tensors += [(h + name, (rows, columns), kind) for name, rows, columns in
                    (("attn_q", heads * size, width), ("attn_k", kept * size, width), ("attn_v", kept * size, width),
                     ("attn_output", width, heads * size), ("ffn_gate", inner, width), ("ffn_up", inner, width),
                     ("ffn_down", width, inner))]

    def text(word):
        return len(word).to_bytes(8, "little") + word.encode()

    def number(key, value):  # u32 or f32
        kind, raw = (6, numpy.float32(value).tobytes()) if isinstance(value, float) else (4, value.to_bytes(4, "little"))
        return text(key) + kind.to_bytes(4, "little") + raw
    keys = [text("general.architecture") + (8).to_bytes(4, "little") + text("qwen3")]
    keys += [number("qwen3." + key, value) for key, value in
             (("block_count", layers), ("context_length", 4096), ("embedding_length", width), ("feed_forward_length", inner),
              ("attention.head_count", heads), ("attention.head_count_kv", kept), ("attention.key_length", size),
              ("attention.value_length", size), ("attention.layer_norm_rms_epsilon", 1e-6), ("rope.freq_base", 1e6))]
    head = b"GGUF" + (3).to_bytes(4, "little") + len(tensors).to_bytes(8, "little") + len(keys).to_bytes(8, "little") + b"".join(keys)
    at = 0
    for name, shape, type in tensors:
        head += text(name + ".weight") + len(shape).to_bytes(4, "little") + b"".join(side.to_bytes(8, "little") for side in shape[::-1])
        head += types[type].to_bytes(4, "little") + at.to_bytes(8, "little")
        held = int(numpy.prod(shape)) // values[type] * bytes_of[type]
        at += held + -held % 32
    random = numpy.random.default_rng(1)
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % 32))
        for name, shape, type in tensors:
            count = int(numpy.prod(shape)) // values[type]
            for begin in range(0, count, 1 << 16):
                part = min(1 << 16, count - begin)
                file.write(numpy.ones(part, numpy.float32).tobytes() if type == "F32" else blocks(type, part, random).tobytes())
            file.write(bytes(-count * bytes_of[type] % 32))


MODELS = {"gpt2": (gpt2, F32), "gpt2-half": (gpt2, BF16), "bert": (lambda: bert(768, 12, 3072), F32),
          "minilm": (lambda: bert(384, 6, 1536), F32), "llama-1b": (llama, BF16),
          "chat": (lambda: llama(576, 30, 9, 3, 1536, 49152, True), BF16)}


def main():
    for name in sys.argv[2:]:
        folder = os.path.join(sys.argv[1], name)
        if name.startswith("half-b-"):
            os.makedirs(sys.argv[1], exist_ok=True)
            gguf(folder + ".gguf", name.removeprefix("half-b-").upper())
            continue
        os.makedirs(folder, exist_ok=True)
        if name == "sparse":
            sparse(os.path.join(folder, "model.safetensors"))
            continue
        make, dtype = MODELS[name]
        config, tensors = make()
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump(config, file)
        write(os.path.join(folder, "model.safetensors"), tensors, dtype)
        if name == "chat":
            talk(folder, config["vocab_size"])
        if config["model_type"] == "bert":
            with open(os.path.join(folder, "vocab.txt"), "w") as file:
                file.write("\n".join(words(config["vocab_size"])) + "\n")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main()
