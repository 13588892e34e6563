#!/usr/bin/env python3
"""make_pieces.py TATOEBA.tsv.gz OUT: the three small models of the lesson openings/tokenisers-at-work, in the layout of save_pretrained.

Their tokenizers are trained here, on the same English sentences: `byte-pair` joins the most frequent pair again and again (Sennrich et al. 2016),
`wordpiece` the pair whose count is largest for how often its parts occur (Schuster, Nakajima 2012), `unigram` begins with all frequent pieces and
drops those that the sentences can do without (Kudo 2018). Their weights are random numbers: they have learned nothing but how to cut."""
import collections, gzip, json, math, pathlib, re, struct, sys

import numpy as np

SIZE, MOST = 1000, 12  # tokens of a vocabulary, characters of a piece
SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']


def words_of(path):
    counts = collections.Counter()
    with gzip.open(path, 'rt', encoding='utf-8') as lines:
        for number, line in enumerate(lines):
            if number % 4 == 0:
                counts.update(re.findall(r"[a-z]+|[^\sa-z]", line.split('\t')[0].lower()))
    return {word: count for word, count in counts.items() if word.isascii() and count > 1}


LETTERS = [chr(c) for c in range(33, 127) if not chr(c).isupper()]


def join(cut, a, b, joined):
    for pieces in cut.values():
        k = 0
        while k + 1 < len(pieces):
            if pieces[k] == a and pieces[k + 1] == b:
                pieces[k:k + 2] = [joined]
            k += 1


def train_byte_pair(words):
    cut, tokens, merges = {word: list(word) for word in words}, ['[UNK]'] + LETTERS, []
    while len(tokens) < SIZE:
        pairs = collections.Counter()
        for word, count in words.items():
            for pair in zip(cut[word], cut[word][1:]):
                pairs[pair] += count
        a, b = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append([a, b])
        if a + b not in tokens:
            tokens.append(a + b)
        join(cut, a, b, a + b)
    return tokens, merges


def train_wordpiece(words):
    cut = {word: [word[0]] + ['##' + c for c in word[1:]] for word in words}
    tokens = SPECIAL + LETTERS + ['##' + c for c in LETTERS if c.isalnum()]
    while len(tokens) < SIZE:
        single, pairs = collections.Counter(), collections.Counter()
        for word, count in words.items():
            pieces = cut[word]
            for piece in pieces:
                single[piece] += count
            for pair in zip(pieces, pieces[1:]):
                pairs[pair] += count
        # Rare pairs would win: they must be there often enough.
        often = {pair: count for pair, count in pairs.items() if count >= 200}
        if not often:
            break
        a, b = max(often, key=lambda pair: (often[pair] / (single[pair[0]] * single[pair[1]]), pair))
        joined = a + b[2:]
        if joined not in tokens:
            tokens.append(joined)
        join(cut, a, b, joined)
    return tokens


def best_path(word, scores):
    """Its pieces, and the sum of their scores."""
    best = [(0.0, 0)] + [(-math.inf, 0)] * len(word)
    for end in range(1, len(word) + 1):
        for begin in range(max(0, end - MOST), end):
            score = scores.get(word[begin:end])
            if score is not None and best[begin][0] + score > best[end][0]:
                best[end] = (best[begin][0] + score, begin)
    pieces, end = [], len(word)
    while end > 0:
        pieces.append(word[best[end][1]:end])
        end = best[end][1]
    return pieces[::-1], best[len(word)][0]


def train_unigram(words):
    marked = {'▁' + word: count for word, count in words.items()}
    counts = collections.Counter()
    for word, count in marked.items():
        for begin in range(len(word)):
            for end in range(begin + 1, min(len(word), begin + MOST) + 1):
                counts[word[begin:end]] += count
    letters = {'▁'} | set(LETTERS)
    seeds = sorted((p for p in counts if len(p) > 1), key=lambda p: (-counts[p] * len(p), p))[:8 * SIZE]
    weight = {p: counts[p] for p in seeds} | {c: max(counts[c], 1) for c in letters}
    while True:
        for _ in range(2):  # the counts of the best ways (instead of all), then again
            total = math.log(sum(weight.values()))
            scores = {p: math.log(w) - total for p, w in weight.items()}
            used = collections.Counter()
            for word, count in marked.items():
                for piece in best_path(word, scores)[0]:
                    used[piece] += count
            weight = {p: max(used[p], 0.5 if p in letters else 0) for p in weight if used[p] > 0 or p in letters}
        total = math.log(sum(weight.values()))
        scores = {p: math.log(w) - total for p, w in weight.items()}
        if len(weight) <= SIZE:
            return [('<unk>', 0.0)] + sorted(scores.items(), key=lambda each: (-each[1], each[0]))
        # What it would cost to cut each piece into others.
        loss = {}
        for piece in weight:
            if piece in letters:
                continue
            own = scores.pop(piece)
            loss[piece] = weight[piece] * (own - best_path(piece, scores)[1])
            scores[piece] = own
        keep = max(SIZE - len(letters), int(0.75 * len(loss)))
        dropped = sorted(loss, key=lambda p: (loss[p], p))[:len(loss) - keep]
        if not dropped:
            return [('<unk>', 0.0)] + sorted(scores.items(), key=lambda each: (-each[1], each[0]))
        for piece in dropped:
            del weight[piece]


def write_model(folder, tokenizer, size):
    folder.mkdir(parents=True, exist_ok=True)
    hidden, inner, places = 16, 32, 64
    rng = np.random.default_rng(1)
    shapes = {'embeddings.word_embeddings.weight': (size, hidden), 'embeddings.position_embeddings.weight': (places, hidden),
              'embeddings.token_type_embeddings.weight': (2, hidden), 'embeddings.LayerNorm.weight': (hidden,), 'embeddings.LayerNorm.bias': (hidden,)}
    layer = 'encoder.layer.0.'
    for name in ('attention.self.query', 'attention.self.key', 'attention.self.value', 'attention.output.dense'):
        shapes |= {layer + name + '.weight': (hidden, hidden), layer + name + '.bias': (hidden,)}
    shapes |= {layer + 'intermediate.dense.weight': (inner, hidden), layer + 'intermediate.dense.bias': (inner,),
               layer + 'output.dense.weight': (hidden, inner), layer + 'output.dense.bias': (hidden,)}
    for name in ('attention.output.LayerNorm', 'output.LayerNorm'):
        shapes |= {layer + name + '.weight': (hidden,), layer + name + '.bias': (hidden,)}
    header, data = {}, b''
    for name, shape in shapes.items():
        values = np.ones(shape) if name.endswith('LayerNorm.weight') else np.zeros(shape) if name.endswith('bias') else rng.normal(0, 0.3, shape)
        bits = values.astype('<f2').tobytes()
        header[name] = {'dtype': 'F16', 'shape': list(shape), 'data_offsets': [len(data), len(data) + len(bits)]}
        data += bits
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    (folder / 'model.safetensors').write_bytes(struct.pack('<Q', len(text)) + text + data)
    config = {'architectures': ['BertModel'], 'model_type': 'bert', 'vocab_size': size, 'hidden_size': hidden, 'num_hidden_layers': 1,
              'num_attention_heads': 2, 'intermediate_size': inner, 'hidden_act': 'gelu', 'max_position_embeddings': places, 'type_vocab_size': 2,
              'layer_norm_eps': 1e-12, 'pad_token_id': 0, 'torch_dtype': 'float16'}
    (folder / 'config.json').write_text(json.dumps(config, indent=1) + '\n')
    (folder / 'tokenizer.json').write_text(json.dumps(tokenizer, ensure_ascii=False, indent=0) + '\n')


def main():
    words, out = words_of(sys.argv[1]), pathlib.Path(sys.argv[2])
    lower = {'type': 'BertNormalizer', 'clean_text': True, 'handle_chinese_chars': True, 'strip_accents': None, 'lowercase': True}
    empty = {'version': '1.0', 'truncation': None, 'padding': None, 'added_tokens': [], 'post_processor': None}
    tokens, merges = train_byte_pair(words)
    write_model(out / 'byte-pair', empty | {
        'normalizer': lower, 'pre_tokenizer': {'type': 'BertPreTokenizer'}, 'decoder': None,
        'model': {'type': 'BPE', 'unk_token': '[UNK]', 'vocab': {token: number for number, token in enumerate(tokens)},
                  'merges': [' '.join(pair) for pair in merges]}}, len(tokens))
    tokens = train_wordpiece(words)
    write_model(out / 'wordpiece', empty | {
        'normalizer': lower, 'pre_tokenizer': {'type': 'BertPreTokenizer'}, 'decoder': {'type': 'WordPiece', 'prefix': '##', 'cleanup': True},
        'model': {'type': 'WordPiece', 'unk_token': '[UNK]', 'continuing_subword_prefix': '##', 'max_input_chars_per_word': 100,
                  'vocab': {token: number for number, token in enumerate(tokens)}}}, len(tokens))
    pieces = train_unigram(words)
    space = {'type': 'Metaspace', 'replacement': '▁', 'prepend_scheme': 'always', 'split': True}
    write_model(out / 'unigram', empty | {
        'normalizer': {'type': 'Lowercase'}, 'pre_tokenizer': space, 'decoder': space,
        'model': {'type': 'Unigram', 'unk_id': 0, 'byte_fallback': False, 'vocab': [[p, round(s, 4)] for p, s in pieces]}}, len(pieces))


if __name__ == '__main__':
    main()
