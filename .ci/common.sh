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

# build PRESET TARGET: configures when there is no build folder yet; Ninja finds out the rest.
build() {
  local preset=$1 target=$2
  [[ -f $root/build/$preset/build.ninja ]] || (cd "$root" && cmake --preset "$preset") >&2
  (cd "$root" && cmake --build --preset "$preset" --target "$target") >&2
}
