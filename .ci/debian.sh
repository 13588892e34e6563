# Whole Debian systems in folders, for scripts that try what strangers have. Sourced behind common.sh, never run.

needs_root_and() {
  local tool
  [[ $(id -u) -eq 0 ]] || { say "a Debian in a folder can be made by root only: use sudo"; exit 2; }
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { say "please install what has the command '$tool'"; exit 2; }
  done
}

# make_debian SUITE FOLDER: a bare system, fetched once (about 200 MB).
make_debian() {
  [[ -e $2/made ]] && return
  say "making a Debian ($1) in $2"
  debootstrap --variant=minbase --include=ca-certificates "$1" "$2" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >&2
  touch "$2/made"
}

# copy_sources FOLDER: what Git knows of this checkout, in /headlight of that system. Times are kept, so that Ninja builds only
# what differs again.
copy_sources() {
  mkdir -p "$1/headlight"
  find "$1/headlight" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  git -C "$root" ls-files -z | (cd "$root" && tar --null -T - -cf -) | tar -xf - -C "$1/headlight"
}

# What is unmounted below a folder stays mounted here.
mount_places() {
  local place
  for place in proc sys dev; do
    mountpoint -q "$1/$place" && continue
    mount --rbind "/$place" "$1/$place"
    mount --make-rslave "$1/$place"
  done
  cp /etc/resolv.conf "$1/etc/resolv.conf"
}
unmount_places() {
  local place
  for place in dev sys proc; do umount -R -l "$1/$place" 2>/dev/null || true; done
}

# inside FOLDER [NAME=VALUE...] COMMAND...: as root of that system, with nothing of this environment.
inside() {
  local system=$1
  shift
  chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
