#!/usr/bin/env bash
# Makes the pictures of README.md and docs/ with the program itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
headlight=${HEADLIGHT:-../../build/release/headlight}
window() { "$headlight" render "$@" --view window --size 1280x800; }
render() { "$headlight" render "$@" --scale 2; }
window date-attention --source 'November 21, 2026' --out window.png
window date-attention --source 'Saturday, November 21, 2026' --theme dark --language zh_CN --out window-dark-zh.png
render date-attention --source 'AUGUST 23, 1983' --view alignment --size 860x420 --out alignment.png
render date-attention --source 'AUGUST 23, 1983' --view steps --size 860x420 --out computation.png
render grammar-bahdanau --source 'the agreement on the european economic area was signed in august 1992 .' --view alignment --size 860x560 --out reordering.png
window toy-mt-convs2s --source 'the girl sees the big red house' --out window-convs2s.png
window story-gpt --source 'anna sees tom in the garden. he carries a red box. he gives' --out window-gpt.png
render story-gpt --source 'anna sees tom in the garden. he carries a red box. he gives' --view heads --size 860x560 --out heads.png
render masked-bert --source 'the keys to the old cabinet [MASK] on the table.' --view ribbons --size 860x420 --out ribbons.png
render toy-mt-luong --source 'the girl sees the big red house' --view history --size 1200x640 --out history.png
render date-transformer --source 'November 21, 2026' --view query-key --size 860x460 --out query-key.png
render date-attention --source 'November 21, 2026' --view computation --size 860x460 --out map.png
render grammar-bahdanau --source 'the cat sleeps .' --view states --size 860x420 --out states.png
render story-gpt --source 'anna sees tom in the garden. he' --view map --step 3 --size 1060x640 --out living-map.png
render copy-ntm --source 'Hello' --view memory --size 860x500 --out memory.png
# A model of another library: sentence-transformers/all-MiniLM-L6-v2, where it lies beside the sources.
minilm=${HEADLIGHT_HF:-../../../shared/hf}/minilm
if [[ -d $minilm ]]; then
  for view in heads ribbons; do
    render "$minilm" --source 'The animal did not cross the street because it was too tired.' --view "$view" --size 1280x800 --out "open-$view.png"
  done
fi
"$headlight" compare ../../sample_models/copy-{transformer,learned,nowhere} --by length \
  --title "Copying: exact match by length; trained on lengths 1 to 10" --out positions.png > /dev/null
# lab.png is the window at 1280x800 itself, as `headlight resources/recordings/class-dot-1.training` opens it, two marks back.
# The comparisons: sample_models/experiments.sh scores, and copy (which trains ten models first).
"$headlight" compare ../../sample_models/date-{dot,scaled-dot,general,additive,mlp,location,cosine} --metric exact_match \
  --title "Dates: exact match after each epoch, by score function" --out scores.png > /dev/null
for name in plain peeky attention bahdanau luong gnmt convs2s hard ntm transformer; do [[ -d ../../build/experiments/copy-$name ]] || exit 0; done
(cd ../../build/experiments && "$(cd - > /dev/null && realpath "$headlight")" compare copy-{plain,peeky,attention,bahdanau,luong,gnmt,convs2s,hard,ntm,transformer} \
  --by length --task copy --title "Copying: exact match by length; trained on lengths 1 to 10" --out copy.png > /dev/null \
  && mv copy.png ../../resources/pictures/)
[[ -d ../../build/experiments/date-attn_seq2seq ]] || exit 0  # sample_models/experiments.sh dates
(cd ../../build/experiments && "$(cd - > /dev/null && realpath "$headlight")" compare date-seq2seq date-seq2seq_peeky date-attn_seq2seq \
  --metric exact_match --title "Dates: exact match after each epoch, H = 128" --out dates.png > /dev/null \
  && mv dates.png ../../resources/pictures/)
