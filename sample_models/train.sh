#!/usr/bin/env bash
# Trains the bundled models again, from nothing, with the program itself. A run that was
# stopped goes on where it was. The figures are in each folder's README.md, the seconds of every epoch in its training.csv.
#   sample_models/train.sh [NAME...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
headlight=${HEADLIGHT:-../build/release/headlight}

train() {
  local name=$1 task=$2 architecture=$3
  shift 3
  [[ ${#wanted[@]} -gt 0 && " ${wanted[*]} " != *" $name "* ]] && return
  local resume=()
  [[ -f $name/checkpoint.safetensors ]] && resume=(--resume)
  "$headlight" train "$task" --architecture "$architecture" "$@" --out "$name" "${resume[@]}"
}

wanted=("$@")
train date-plain date_wide seq2seq --epochs 8 --set train_size=60000
train date-peeky date_wide seq2seq_peeky --epochs 14 --set train_size=60000
train date-attention date_wide attn_seq2seq --epochs 8 --seed 2 --set train_size=60000
train addition-attention addition attn_seq2seq --epochs 40

# The same task and size with every score function, to compare them; the additive one by the seed that looks where it writes.
score() {
  local name=$1 title=$2 epochs=$3
  shift 3
  train "date-$name" date_wide attn_seq2seq --epochs "$epochs" --half --set hidden_size=64 --set attention.hidden_size=64 \
    --title "Dates, $title" "$@"
}
score dot "dot score" 20 --set attention.score=dot
score scaled-dot "scaled dot score" 20 --set attention.score=scaled_dot
score general "general score" 20 --set attention.score=general
score additive "additive score" 20 --seed 6 --set attention.score=additive
score mlp "MLP score" 20 --set attention.score=mlp
score location "location score" 20 --set attention.score=location --set attention.longest_source=29
score cosine "cosine score" 20 --set attention.score=cosine --set attention.learn_beta=true

# Two invented languages whose word orders differ, with gold alignments.
small=(--half --set batch=64 --set learning_rate=0.002 --set train_size=20000 --set test_size=1000)
# What made each look at the words that it writes (dropout, no input feeding, directions, sizes) is said in its card.
train toy-mt-bahdanau toy_mt bahdanau --epochs 6 "${small[@]}" --set init=fan_in --set parts=1 --set clip=1 --set dropout=0.5 \
  --set attention.bias=none
train toy-mt-luong toy_mt luong --epochs 10 "${small[@]}" --set init=fan_in --set input_feeding=false
train toy-mt-local toy_mt luong --epochs 34 "${small[@]}" --set init=fan_in --set parts=1 --set hidden_size=48 \
  --set attention.reach=local_p --set attention.half_width=5 --set input_feeding=false --title "A small language, local attention"
train toy-mt-deep toy_mt attn_seq2seq --epochs 10 --title "A small language, three layers" "${small[@]}" --set layers=3 \
  --set residual=true --set embedding_size=32 --set hidden_size=32 --set reverse_source=true --set parts=1
train toy-mt-convs2s toy_mt convs2s --epochs 6 --seed 6 --half --set batch=64 --set optimiser=adam --set learning_rate=0.0005 \
  --set clip=1 --set train_size=20000 --set test_size=1000
train glimpse-hard glimpse hard_attention --epochs 12 "${small[@]}" --set bidirectional=all --set start=both \
  --set attention.bias=none

# English to French, of a grammar of our own.
train grammar-bahdanau grammar bahdanau --epochs 4 --half --set batch=64 --set learning_rate=0.002 --set clip=1 \
  --set init=fan_in --set train_size=45000 --set test_size=1000 --set parts=1 --set dropout=0.3 --set bidirectional=none \
  --set start=mean --set reverse_source=true --set attention.bias=none
train grammar-convs2s grammar convs2s --epochs 5 --half --set batch=64 --set optimiser=adam \
  --set learning_rate=0.0005 --set clip=1 --set train_size=45000 --set test_size=1000

# Neural Turing Machine: copies strings longer than those that it was trained on.
train copy-ntm bits_copy ntm --epochs 8 --seed 2 --half --set batch=4 --set parts=1 --set optimiser=adam \
  --set learning_rate=0.0005 --set clip=0 --set clip_value=10 --set train_size=10000 --set test_size=500 \
  --set memory.slots=64

# Transformers: pre-norm, embeddings N(0, 1/d) times the root of d, a short warm-up, then a decay (Noam).
noam=(--half --set optimiser=adam --set beta2=0.98 --set schedule=noam --set clip=1 --set batch=64)
tiny=("${noam[@]}" --set warmup=200 --set dropout=0 --set tie=all --set train_size=12800 --set test_size=1000 --set average=4)
# The same copying with sinusoids, with learned positions, and with none; with one head, scaled and not.
train copy-transformer copy transformer --epochs 14 "${tiny[@]}" --title "Copying, Transformer"
train copy-learned copy transformer --epochs 14 "${tiny[@]}" --set positions=learned --title "Copying, learned positions"
train copy-nowhere copy transformer --epochs 14 "${tiny[@]}" --set positions=none --title "Copying, no positions"
train copy-one-head copy transformer --epochs 5 "${tiny[@]}" --set heads=1 --set average=1 --title "Copying, one head"
train copy-unscaled copy transformer --epochs 5 "${tiny[@]}" --set heads=1 --set average=1 --set scale_scores=false \
  --title "Copying, one head, not scaled"
train reverse-transformer reverse transformer --epochs 40 "${tiny[@]}" --title "Reversing, Transformer"
train sort-transformer sort transformer --epochs 30 "${tiny[@]}" --title "Sorting, Transformer"
train addition-transformer addition transformer --epochs 16 "${noam[@]}" --set warmup=400 --set dropout=0 --set tie=all \
  --title "Addition, Transformer"
train date-transformer date_wide transformer --epochs 6 "${noam[@]}" --set warmup=400 --set dropout=0 --set tie=all \
  --set train_size=60000 --title "Dates, Transformer"
train grammar-transformer grammar transformer --epochs 5 "${noam[@]}" --set warmup=400 --set model_size=128 \
  --set ff_size=256 --set train_size=45000 --set test_size=1000
# Encoders and decoders alone, on stories of a grammar of our own.
train masked-bert masked encoder_only --epochs 12 "${noam[@]}" --set warmup=400 --set positions=learned --set activation=gelu \
  --set tie=all --set output_bias=yes --set train_size=60000 --set test_size=2000 --title "Hidden words, mini BERT"
train story-gpt story decoder_only --epochs 4 "${noam[@]}" --set warmup=400 --set positions=learned --set activation=gelu_tanh \
  --set tie=all --set prompt=continue --set model_size=96 --set ff_size=384 --set train_size=40000 --set test_size=2000 \
  --title "Small stories, mini GPT"

# Words of people: needs their sentences, a TSV file of Tatoeba (see the card), which is not part of the sources.
if [[ -n ${TATOEBA:-} ]]; then
  train tatoeba-bahdanau pairs bahdanau --epochs 6 --half --files "$TATOEBA" --set tokenizer=words \
    --set lower_case=true --set max_tokens=8 --set min_frequency=5 --set train_size=200000 --set test_size=2000 \
    --set batch=128 --set attention.bias=none --set embedding_size=128 --set hidden_size=128 --set maxout_size=128 \
    --set attention.hidden_size=128 --set init=fan_in --set learning_rate=0.001 --set clip=1 --set dropout=0.1 \
    --title "Tatoeba, Bahdanau" --licence "CC BY 2.0 FR, as the sentences" \
    --data-note "Sentence pairs of Tatoeba (tatoeba.org), as collected by manythings.org/anki, CC BY 2.0 FR"
  # A constant rate that is halved after each epoch from the 13th on gave 51.9 BLEU; Noam's schedule over 12 epochs 47.3.
  train tatoeba-transformer pairs transformer --epochs 18 --half --files "$TATOEBA" --set tokenizer=words \
    --set lower_case=true --set max_tokens=8 --set min_frequency=2 --set train_size=200000 --set test_size=2000 \
    --set model_size=128 --set ff_size=512 --set optimiser=adam --set beta2=0.98 --set clip=1 --set batch=64 \
    --set schedule=halve_after --set halve_after=12 --set learning_rate=0.001 --set dropout=0.1 \
    --set label_smoothing=0.1 --set average=3 --title "Tatoeba, Transformer" --licence "CC BY 2.0 FR, as the sentences" \
    --data-note "Sentence pairs of Tatoeba (tatoeba.org), as collected by manythings.org/anki, CC BY 2.0 FR"
fi
