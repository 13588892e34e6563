# Shared by ./run and ./run-tests: installs missing packages, configures and builds. Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'headlight: %s\n' "$*" >&2; }

# Names in packages.txt up to the section for reference data, without comments.
needed_packages() { sed -e '/\[reference\]/,$d' -e 's/#.*//' -e '/^[[:space:]]*$/d' "$root/packages.txt"; }

missing_packages() {
  local installed
  # shellcheck disable=SC2046
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $(needed_packages) 2>/dev/null | sed -n 's/^installed //p' || true)
  comm -23 <(needed_packages | sort -u) <(sort -u <<<"$installed")
}

install_packages() {
  local missing as_root=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "this machine has no apt-get; I go on and hope that the packages of packages.txt are there under other names"
    return
  fi
  missing=$(missing_packages)
  [[ -z $missing ]] && return
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || { say "please install as root:" $missing; exit 2; }
    as_root=(sudo)
  fi
  say "installing:" $missing
  # shellcheck disable=SC2086
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
    apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 ||
    { apt-get update -q && apt-get install -y -q --no-install-recommends "$@"; }' sh $missing >&2
}

# One line that says how far the build is and how long it will still take; what a compiler says comes whole. Ninja gives
# "@finished total seconds" before each step; the steps are alike enough for the rest to take as long as they did.
progress() {
  local rest number total seconds left tty=
  [[ -t 2 ]] && tty=1
  local shown=-1
  while IFS= read -r rest; do
    if [[ $rest != @* ]]; then
      printf '%s%s\n' "${tty:+$'\r\e[K'}" "$rest" >&2
      continue
    fi
    read -r number total seconds _ <<<"${rest#@}"
    seconds=${seconds%.*}
    left=""
    ((number > 9 && seconds > 4)) && left=", about $(((total - number) * seconds / number / 60 + 1)) min left"
    if [[ $tty ]]; then
      printf '\r\e[Kheadlight: building, %s of %s steps%s' "$number" "$total" "$left" >&2
    elif ((number * 10 / total != shown)); then
      shown=$((number * 10 / total))
      say "building, $number of $total steps$left"
    fi
  done
  [[ $tty ]] && printf '\r\e[K' >&2
  return 0
}

# build PRESET TARGET: configures when there is no build folder yet; Ninja finds out the rest.
build() {
  local preset=$1 target=$2
  # The cache may trust precompiled headers: they are rebuilt when a header changes.
  export CCACHE_SLOPPINESS=pch_defines,time_macros
  [[ -f $root/build/$preset/build.ninja ]] || (cd "$root" && cmake --preset "$preset") >&2
  # Through a pipe Ninja prints a line for each step.
  (cd "$root" && NINJA_STATUS='@%f %t %e ' cmake --build --preset "$preset" --target "$target") 2>&1 | progress
}
