#!/usr/bin/python3
"""Folders of models in real sizes with random weights, as other libraries write them, for benchmarks. Nothing of them is kept.

usage: make_models.py FOLDER NAME...
  gpt2      124 M numbers, float32: 12 layers, 768 wide, 12 heads, 50,257 tokens, 1,024 positions
  gpt2-half the same in bfloat16
  bert      110 M numbers, float32: 12 layers, 768 wide, 12 heads, 30,522 tokens, 512 positions
  minilm    23 M numbers, float32: 6 layers, 384 wide, 12 heads, 30,522 tokens, 512 positions
  llama-1b  1.1 G numbers, bfloat16: 22 layers, 2,048 wide, 32 heads over 4, 32,000 tokens
  sparse    no model: one file of 10 GB without contents, 100 float32 tensors

Each becomes FOLDER/NAME. Needs NumPy. The seed is fixed: the files are the same every time.
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


def llama():
    size, inner, kept, vocabulary = 2048, 5632, 256, 32000
    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": size, "num_hidden_layers": 22,
              "num_attention_heads": 32, "num_key_value_heads": 4, "intermediate_size": inner, "hidden_act": "silu",
              "vocab_size": vocabulary, "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
              "tie_word_embeddings": False, "bos_token_id": 1, "eos_token_id": 2}
    tensors = [("model.embed_tokens.weight", (vocabulary, size))]
    for layer in range(22):
        h = f"model.layers.{layer}."
        tensors += [(h + "input_layernorm.weight", (size,)), (h + "post_attention_layernorm.weight", (size,))]
        for name, rows, columns in (("self_attn.q_proj", size, size), ("self_attn.k_proj", kept, size),
                                    ("self_attn.v_proj", kept, size), ("self_attn.o_proj", size, size),
                                    ("mlp.gate_proj", inner, size), ("mlp.up_proj", inner, size),
                                    ("mlp.down_proj", size, inner)):
            tensors.append((h + name + ".weight", (rows, columns)))
    return config, tensors + [("model.norm.weight", (size,)), ("lm_head.weight", (vocabulary, size))]


def sparse(path):
    count = 25_000_000
    header = {f"layer.{i}.weight": {"dtype": F32, "shape": [5000, 5000], "data_offsets": [4 * count * i, 4 * count * (i + 1)]}
              for i in range(100)}
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + 400 * count)


MODELS = {"gpt2": (gpt2, F32), "gpt2-half": (gpt2, BF16), "bert": (lambda: bert(768, 12, 3072), F32),
          "minilm": (lambda: bert(384, 6, 1536), F32), "llama-1b": (llama, BF16)}


def main():
    for name in sys.argv[2:]:
        folder = os.path.join(sys.argv[1], name)
        os.makedirs(folder, exist_ok=True)
        if name == "sparse":
            sparse(os.path.join(folder, "model.safetensors"))
            continue
        make, dtype = MODELS[name]
        config, tensors = make()
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump(config, file)
        write(os.path.join(folder, "model.safetensors"), tensors, dtype)
        if config["model_type"] == "bert":
            with open(os.path.join(folder, "vocab.txt"), "w") as file:
                file.write("\n".join(words(config["vocab_size"])) + "\n")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main()
