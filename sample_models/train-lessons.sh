#!/usr/bin/env bash
# Trains the small models of the courses Everybody asks everybody and Word by word again, from nothing, each into the
# folder of its lesson. The figures are in each folder's README.md.
#   sample_models/train-lessons.sh [LESSON/NAME...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
headlight=$(realpath "${HEADLIGHT:-../build/release/headlight}")
lessons=$(realpath ../resources/lessons)
pairs=$PWD/lesson_pairs.py
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
wanted=("$@")

# COURSE/LESSON/NAME TASK ARCHITECTURE SETTINGS...
train() {
  local place=$1 task=$2 architecture=$3
  local name=${place##*/}
  shift 3
  [[ ${#wanted[@]} -gt 0 && " ${wanted[*]} " != *" ${place#*/} "* ]] && return
  "$headlight" train "$task" --architecture "$architecture" --half "$@" --out "$name"
  mkdir -p "$lessons/$place"
  cp "$name"/{config.json,model.safetensors,vocabulary.json} "$lessons/$place"
  head -n -2 "$name/README.md" > "$lessons/$place/README.md"  # without the line about training.csv, which stays here
}

# The same for texts that lesson_pairs.py makes: COURSE/LESSON/NAME KIND COUNT ARCHITECTURE SETTINGS...
train_pairs() {
  local place=$1 kind=$2 count=$3 architecture=$4
  shift 4
  python3 "$pairs" "$kind" "$count" > "$kind.tsv"
  train "$place" pairs "$architecture" --files "$kind.tsv" --licence GPL-3.0-or-later \
    --data-note "made by sample_models/lesson_pairs.py $kind $count" "$@"
}

adam=(--set optimiser=adam --set learning_rate=0.003 --set clip=1 --set batch=32)
noam=(--set optimiser=adam --set beta2=0.98 --set schedule=noam --set clip=1 --set dropout=0)

# Which bank: every word looks at every word, or one state is carried along.
train everybody-asks/who-is-she/bank-self bank transformer --epochs 6 "${noam[@]}" --set warmup=200 --set batch=32 \
  --set model_size=32 --set ff_size=64 --set heads=1 --set encoder_layers=2 --set decoder_layers=1 \
  --set max_positions=64 --set train_size=4000 --set test_size=600
train everybody-asks/who-is-she/bank-read bank seq2seq --epochs 6 --set optimiser=adam --set learning_rate=0.002 \
  --set clip=1 --set batch=32 --set hidden_size=32 --set embedding_size=32 --set train_size=4000 --set test_size=600

# Two copies of one model, with and without the causal mask. 7 epochs: in the 8th the loss without it jumps for a while.
for causal in true false; do
  name=$([[ $causal == true ]] && echo copy-masked || echo copy-peeking)
  title="Copying, $([[ $causal == true ]] && echo with || echo without) the causal mask"
  train "everybody-asks/no-peeking/$name" copy transformer --epochs 7 --set model_size=48 --set ff_size=96 \
    --set train_size=12000 --set test_size=300 --set batch=64 --set optimiser=adam --set beta2=0.98 --set schedule=noam \
    --set warmup=200 --set learning_rate=0.3 --set clip=1 --set dropout=0 --set causal=$causal --title "$title"
done

# Copying with a recurrent model: as far as it was trained, and no further.
train everybody-asks/what-it-cannot-do/copy-attention copy attn_seq2seq --epochs 12 --set train_size=20000 \
  --set test_size=2000 --set batch=64 --set hidden_size=64 --set embedding_size=32 --title "Copying, attention"

# Odd or even, by one state and by attention.
train_pairs everybody-asks/what-it-cannot-do/parity-read parity 6000 seq2seq --epochs 40 "${adam[@]}" \
  --set hidden_size=24 --set embedding_size=16 --set test_size=200 --title "Odd or even, read letter by letter"
train_pairs everybody-asks/what-it-cannot-do/parity-self parity 6000 transformer --epochs 26 "${noam[@]}" \
  --set warmup=100 --set batch=32 --set model_size=32 --set ff_size=64 --set heads=2 --set max_positions=64 \
  --set test_size=200 --title "Odd or even, Transformer"

# Three letters side by side, from few texts: convolutions, one state, attention.
small=(--set train_size=1200 --set test_size=400)
train_pairs everybody-asks/what-it-cannot-do/pattern-conv pattern 6000 convs2s --epochs 8 "${adam[@]}" "${small[@]}" \
  --set embedding_size=32 --set hidden_size=32 --title "Side by side, convolutions"
train_pairs everybody-asks/what-it-cannot-do/pattern-read pattern 6000 attn_seq2seq --epochs 40 "${adam[@]}" "${small[@]}" \
  --set hidden_size=32 --set embedding_size=16 --title "Side by side, read letter by letter"
train_pairs everybody-asks/what-it-cannot-do/pattern-self pattern 6000 transformer --epochs 40 "${noam[@]}" "${small[@]}" \
  --set warmup=100 --set batch=32 --set model_size=32 --set ff_size=64 --set heads=2 --set encoder_layers=2 \
  --set decoder_layers=1 --set max_positions=64 --title "Side by side, Transformer"

# One model with and without label smoothing, on few sentences.
for smoothing in 0 0.1; do
  name=$([[ $smoothing == 0 ]] && echo plain || echo smooth)
  title="English to French, $([[ $smoothing == 0 ]] && echo sure || echo with doubt)"
  train "everybody-asks/training-it/$name" grammar transformer --epochs 30 --set optimiser=adam --set beta2=0.98 \
    --set schedule=noam --set warmup=200 --set clip=1 --set batch=32 --set dropout=0.1 --set model_size=48 \
    --set ff_size=96 --set heads=4 --set encoder_layers=1 --set decoder_layers=1 --set train_size=2000 \
    --set test_size=500 --set label_smoothing=$smoothing --title "$title"
done

# The norm behind the sum or before the part, with and without warm-up: NAME PLACE UPDATES TITLE
cold_start() {
  train "everybody-asks/training-it/$1" copy transformer --epochs 12 "${noam[@]}" --set learning_rate=0.5 --set batch=64 \
    --set tie=all --set model_size=32 --set ff_size=64 --set heads=4 --set encoder_layers=3 --set decoder_layers=3 \
    --set train_size=6400 --set test_size=200 --set max_positions=64 --set norm_place="$2" --set warmup="$3" --title "$4"
}
cold_start post-cold post 1 "Norm after the sum, no warm-up"
cold_start post-warm post 200 "Norm after the sum, warm-up"
cold_start pre-cold pre 1 "Norm before the part, no warm-up"

# Two layers that go on with a list: of two seeds, which found the same pair of heads, the first.
train_pairs word-by-word/copy-what-came-before/walk repeats 16000 decoder_only --epochs 10 "${noam[@]}" --set batch=64 \
  --set warmup=200 --set tie=all --set prompt=continue --set positions=learned --set max_positions=64 \
  --set model_size=32 --set ff_size=64 --set heads=2 --set train_size=12000 --set test_size=300 \
  --title "Lists, gone along"

# A key and a value for each head, or one for all of them.
for count in one:1 four:4; do
  title="Small stories, ${count%:*} key-value $([[ $count == one* ]] && echo head || echo heads)"
  train "word-by-word/what-it-keeps/${count%:*}-key-$([[ $count == one* ]] && echo head || echo heads)" story decoder_only \
    --epochs 3 --seed 1 --set optimiser=adam --set beta2=0.98 --set schedule=noam --set clip=1 --set batch=64 \
    --set warmup=200 --set positions=learned --set activation=gelu_tanh --set tie=all --set prompt=continue \
    --set model_size=64 --set ff_size=256 --set heads=4 --set key_value_heads="${count#*:}" --set max_positions=96 \
    --set train_size=16000 --set test_size=500 --title "$title"
done
