#!/bin/sh
{ # The shell reads the whole block before it runs it, so a script that was cut off does nothing.
# Installs the executable of a release of Rollcall: downloads it, compares it with the release's
# checksums, and only then puts it into its place, at once. docs/executable.md has the steps.
set -eu

# A release writes its own address here.
release='@release@'

usage() {
  cat <<'USAGE'
Usage: install.sh [--prefix FOLDER] [--release URL]

Installs Rollcall as FOLDER/bin/rollcall.

  --prefix FOLDER  default: /usr/local for root, else ~/.local
  --release URL    the folder of a release, default: the one of this script; or ROLLCALL_RELEASE
USAGE
}

refuse() {
  printf 'rollcall: %s\n' "$1" >&2
  exit "${2-1}"
}

read_options() {
  prefix=
  release=${ROLLCALL_RELEASE:-$release}
  while [ $# -gt 0 ]; do
    case $1 in
    --help | -h)
      usage
      exit
      ;;
    --prefix | --release)
      [ $# -gt 1 ] || refuse "$1 needs a value; see --help" 2
      if [ "$1" = --prefix ]; then prefix=$2; else release=$2; fi
      shift 2
      ;;
    *) refuse "unknown option \"$1\"; see --help" 2 ;;
    esac
  done
  if [ -z "$prefix" ] && [ "$(id -u)" = 0 ]; then
    prefix=/usr/local
  elif [ -z "$prefix" ]; then
    prefix=${HOME:?"HOME is not set; expected --prefix"}/.local
  fi
  # What comes by plain HTTP may be anyone's, with checksums that fit it.
  case $release in
  http*://*@*) refuse "the release \"$release\" names a user; expected an address without" 2 ;;
  https://*) protocols='=https' ;;
  http://127.0.0.1:* | http://localhost:*) protocols='=http,https' ;;
  *) refuse "the release \"$release\" is no https address; expected --release https://…" 2 ;;
  esac
}

# Sets `file` to the name of the release's file for this machine.
choose_file() {
  case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) refuse "no executable for $(uname -s); expected Linux or macOS" ;;
  esac
  case $(uname -m) in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) refuse "no executable for $(uname -m); expected x86-64 or arm64" ;;
  esac
  if [ $system = linux ] && ldd --version 2>&1 | grep -qi musl; then
    refuse 'no executable for musl, as of Alpine; expected glibc, or use the container'
  fi
  file=rollcall-$system-$machine
}

# Downloads a file of the release into the folder `new`.
download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --proto-redir "$protocols" --output "$new/$1" "$release/$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$new/$1" "$release/$1"
  else
    refuse 'neither curl nor wget is there; install one of them'
  fi || refuse "\"$release/$1\" cannot be downloaded"
}

checksum() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 <"$1"
  else
    refuse 'neither sha256sum nor shasum is there; install one of them'
  fi | cut -d ' ' -f 1
}

# Compares the downloaded file with the release's list, which has a line for each file.
verify() {
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$file\$/\1/p" "$new/SHA256SUMS")
  [ -n "$expected" ] || refuse "SHA256SUMS of the release has no line for $file"
  found=$(checksum "$new/$file")
  [ "$found" = "$expected" ] ||
    refuse "$file is damaged: its SHA-256 is ${found:-unknown}, and the release has $expected"
}

# The rename is the only step that others see.
place() {
  target=$prefix/bin/rollcall
  { mkdir -p "$prefix/bin" && part=$(mktemp "$prefix/bin/.rollcall.XXXXXXXXXX"); } 2>/dev/null ||
    refuse "\"$prefix/bin\" cannot be written; expected --prefix FOLDER, or root"
  { cat "$new/$file" >"$part" && chmod 755 "$part" && mv -f "$part" "$target"; } 2>/dev/null ||
    refuse "\"$target\" cannot be written; expected room for it"
  part=
}

main() {
  read_options "$@"
  choose_file
  new=$(mktemp -d)
  part=
  trap 'rm -rf "$new"; [ -z "$part" ] || rm -f "$part"' EXIT
  trap 'exit 1' HUP INT TERM
  download SHA256SUMS
  download "$file"
  verify
  place
  printf 'Installed %s. Start it: rollcall serve\n' "$target"
  case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) printf 'Add %s to PATH, or type the whole path.\n' "$prefix/bin" ;;
  esac
}

main "$@"
exit
}
