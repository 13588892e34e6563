#!/usr/bin/env python3
"""A folder of tests' material as the GGUF file that llama.cpp's converter would make of it, in F32:

  gguf_of.py FOLDER ARCHITECTURE OUT.gguf        then: headlight verify OUT.gguf FOLDER/reference.npz

for gemma, bloom, phi2, stablelm, olmo, cohere2, granite, smollm3, ernie4_5 and glm4, and the mixtures llama (Mixtral), qwen2moe,
qwen3moe, olmoe, granitemoe and gpt-oss, of which there are no files. Nothing here knows the program."""

import json
import pathlib
import re
import struct
import sys

import numpy as np

from elsewhere import read_safetensors

AROUND = {"embed_tokens": "token_embd", "word_embeddings": "token_embd", "word_embeddings_layernorm": "token_embd_norm",
          "norm": "output_norm", "final_layernorm": "output_norm", "ln_f": "output_norm", "lm_head": "output"}
LAYER = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
         "self_attn.dense": "attn_output", "self_attention.query_key_value": "attn_qkv", "self_attention.dense": "attn_output",
         "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "mlp.gate_up_proj": "ffn_up",
         "mlp.fc1": "ffn_up", "mlp.fc2": "ffn_down", "mlp.dense_h_to_4h": "ffn_up", "mlp.dense_4h_to_h": "ffn_down",
         "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "post_self_attn_layernorm": "post_attention_norm",
         "post_mlp_layernorm": "post_ffw_norm", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm"}
PERMUTED = ("llama", "olmo", "granite", "granitemoe", "smollm3")
MIXTURES = {"llama": "block_sparse_moe", "granitemoe": "block_sparse_moe", "qwen2moe": "mlp", "qwen3moe": "mlp", "olmoe": "mlp", "gpt-oss": "mlp"}
OF_EXPERTS = {"w1": "ffn_gate", "w3": "ffn_up", "w2": "ffn_down", "gate_proj": "ffn_gate", "up_proj": "ffn_up", "down_proj": "ffn_down"}


def text(value):
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def write(path, keys, tensors):
    head = b"".join(text(key) + struct.pack("<I", kind) + (text(value) if kind == 8 else struct.pack({4: "<I", 6: "<f", 7: "<?"}[kind], value))
                    for key, (kind, value) in keys.items())
    data = b""
    for name, value in tensors.items():
        head += text(name) + struct.pack("<I", value.ndim) + b"".join(struct.pack("<Q", n) for n in reversed(value.shape))
        head += struct.pack("<IQ", 0, len(data))
        data += value.astype("<f4").tobytes()
        data += b"\0" * (-len(data) % 32)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + head
    path.write_bytes(head + b"\0" * (-len(head) % 32) + data)


def permuted(rows, heads):
    """Halves of each head become pairs of neighbours."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def keys_of(c, architecture):
    heads, width = c.get("num_attention_heads") or c["n_head"], c.get("hidden_size") or c["n_embed"]
    size = c.get("head_dim") or width // heads
    keys = {"general.architecture": (8, architecture)}

    def put(name, kind, value):
        if value is not None:
            keys[architecture + "." + name] = (kind, value)
    for name, value in (("block_count", c.get("num_hidden_layers") or c.get("n_layer")), ("embedding_length", width),
                        ("feed_forward_length", c.get("intermediate_size") or 4 * width), ("attention.head_count", heads),
                        ("attention.head_count_kv", c.get("num_key_value_heads") or heads), ("context_length", 64),
                        ("attention.key_length", size), ("attention.value_length", size),
                        ("attention.sliding_window", c.get("sliding_window"))):
        put(name, 4, value)
    put("attention.layer_norm_rms_epsilon", 6, c.get("rms_norm_eps"))
    for name in ("layer_norm_eps", "layer_norm_epsilon"):
        put("attention.layer_norm_epsilon", 6, c.get(name))
    if architecture != "bloom":
        put("rope.freq_base", 6, float(c["rope_theta"]))
        put("rope.dimension_count", 4, int(size * c.get("partial_rotary_factor", 1)))
    put("attention.clamp_kqv", 6, c.get("clip_qkv"))
    put("attention.scale", 6, c.get("attention_multiplier"))
    put("embedding_scale", 6, c.get("embedding_multiplier"))
    put("residual_scale", 6, c.get("residual_multiplier"))
    put("logit_scale", 6, c.get("logits_scaling") or c.get("logit_scale"))
    put("expert_count", 4, c.get("num_local_experts") or c.get("num_experts"))
    put("expert_used_count", 4, c.get("num_experts_per_tok"))
    put("expert_feed_forward_length", 4, c.get("moe_intermediate_size"))
    put("expert_shared_feed_forward_length", 4, c.get("shared_expert_intermediate_size"))
    if architecture == "gpt-oss":
        scaling = c["rope_scaling"]
        put("rope.scaling.type", 8, "yarn")
        put("rope.scaling.factor", 6, scaling["factor"])
        put("rope.scaling.original_context_length", 4, scaling["original_max_position_embeddings"])
    put("use_parallel_residual", 7, c.get("use_parallel_residual"))
    return keys, heads, c.get("num_key_value_heads") or heads, size


def stacked(given, architecture):
    """The matrices of all experts as one tensor each, and the other parts of a mixture, by their names in the file."""
    made, rest, parts = {}, {}, {}
    at = r"model\.layers\.(\d+)\." + MIXTURES[architecture] + r"\."
    for name, value in given.items():
        layer, value = re.match(at + r"(.*)", name), value.float().numpy()
        if name.endswith("self_attn.sinks"):
            made["blk.%s.attn_sinks.weight" % name.split(".")[2]] = value
        elif not layer:
            rest[name] = value
        else:
            place, what = "blk.%s." % layer[1], layer[2]
            one = re.match(r"experts\.(\d+)\.(\w+)\.weight", what)
            if one:
                parts.setdefault(place + OF_EXPERTS[one[2]] + "_exps.weight", {})[int(one[1])] = value
            elif what in ("gate.weight", "router.layer.weight", "router.weight", "router.bias"):
                made[place + "ffn_gate_inp." + what.rsplit(".", 1)[1]] = value
            elif what == "shared_expert_gate.weight":
                made[place + "ffn_gate_inp_shexp.weight"] = value[0]
            elif what.startswith("shared_expert."):
                made[place + OF_EXPERTS[what.split(".")[1]] + "_shexp.weight"] = value
            elif what == "input_linear.weight":
                made[place + "ffn_gate_exps.weight"], made[place + "ffn_up_exps.weight"] = np.split(value, 2, 1)
            elif what == "output_linear.weight":
                made[place + "ffn_down_exps.weight"] = value
            elif what.startswith("experts.gate_up_proj"):  # columns alternate
                end = "_exps.bias" if what.endswith("_bias") else "_exps.weight"
                turned = value if what.endswith("_bias") else value.swapaxes(1, 2)
                made[place + "ffn_gate" + end], made[place + "ffn_up" + end] = turned[:, 0::2], turned[:, 1::2]
            elif what.startswith("experts.down_proj"):
                made[place + "ffn_down_exps" + (".bias" if what.endswith("_bias") else ".weight")] = \
                    value if what.endswith("_bias") else value.swapaxes(1, 2)
            else:
                rest[name] = value  # a layer without experts
    made.update({name: np.stack([each[e] for e in sorted(each)]) for name, each in parts.items()})
    return made, rest


def main():
    folder, architecture, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    keys, heads, groups, size = keys_of(json.loads((folder / "config.json").read_text()), architecture)
    given, tensors = {}, {}
    for path in sorted(folder.glob("*.safetensors")):
        given.update(read_safetensors(path))
    if architecture in MIXTURES:
        tensors, given = stacked(given, architecture)
    else:
        given = {name: value.float().numpy() for name, value in given.items()}
    for name, value in given.items():
        place, end = name.removeprefix("model.").removeprefix("transformer.").rsplit(".", 1)
        layer = re.match(r"(?:layers|h)\.(\d+)\.(.*)", place)
        if not layer:
            tensors[AROUND[place] + "." + end] = value + 1 if architecture == "gemma" and place == "norm" else value
            continue
        if architecture == "gemma" and place.endswith("norm"):
            value = value + 1
        if architecture in PERMUTED and place.endswith(("q_proj", "k_proj")):
            value = permuted(value, heads if place.endswith("q_proj") else groups)
        if place.endswith("query_key_value"):  # of all heads: queries, keys, values
            parts = value.reshape(heads, 3, size, *value.shape[1:])
            value = np.concatenate([parts[:, i].reshape(heads * size, *value.shape[1:]) for i in range(3)])
        name = "post_attention_norm" if architecture == "gpt-oss" and layer[2] == "post_attention_layernorm" else LAYER[layer[2]]
        tensors["blk.%s.%s.%s" % (layer[1], name, end)] = value
    write(out, keys, tensors)


if __name__ == "__main__":
    main()
