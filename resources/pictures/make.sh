#!/usr/bin/env bash
# Makes the pictures of the README with the program itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
headlight=${HEADLIGHT:-../../build/release/headlight}
render() { "$headlight" render "$@"; }
render date-attention --source 'November 21, 2026' --view window --size 1280x800 --out window.png
render date-attention --source 'Saturday, November 21, 2026' --view window --size 1280x800 --theme dark --language zh_CN --out window-dark-zh.png
render date-attention --source 'AUGUST 23, 1983' --view alignment --size 860x420 --scale 1 --out alignment.png
render date-attention --source 'AUGUST 23, 1983' --view computation --size 860x420 --out computation.png
