#!/bin/sh
{ # The shell reads the whole block before it runs it, so an incomplete script does nothing.
# Rollcall for Linux on @machine@. This script is followed by an archive with the Deno runtime and the
# application. The first start unpacks it into the user's cache; every start checks that the cached
# files are complete.
# No name in the archive is a pattern.
set -uf

payload_start=@payload_start@
file_bytes=@file_bytes@
payload_hash=@payload_hash@

# The files of the archive, in the format of cksum.
checksums='@checksums@'

refuse() {
  printf 'rollcall: %s\n' "$1" >&2
  exit 1
}

# Prints a line in the format of the application's settings and exits: with 1 when the folder cannot be
# used now, with 2 when the setting has to change.
refuse_cache() {
  given=
  [ -n "${ROLLCALL_CACHE_DIR-}" ] || given='not given, and '
  printf 'ROLLCALL_CACHE_DIR: %s"%s" %s; expected %s\n' "$given" "$cache" "$1" "$2" >&2
  exit "${3-1}"
}

choose_cache() {
  if [ -n "${ROLLCALL_CACHE_DIR-}" ]; then
    cache=$ROLLCALL_CACHE_DIR
  elif [ -n "${XDG_CACHE_HOME-}" ]; then
    cache=$XDG_CACHE_HOME/rollcall
  elif [ -n "${HOME-}" ]; then
    cache=$HOME/.cache/rollcall
  else
    printf 'ROLLCALL_CACHE_DIR: not given, nor is HOME; expected a folder that can be written\n' >&2
    exit 2
  fi
  (umask 077 && mkdir -p -- "$cache") 2>/dev/null ||
    refuse_cache 'cannot be made' 'a folder that can be written'
  # Resolves links, so that the checked folder is the one that is used.
  cache=$(CDPATH='' cd -P -- "$cache" && pwd) || exit
  is_private || refuse_cache 'is not yours alone' 'a folder that only you can write to' 2
}

# Whether only this user and root, and no group, can write to the cache or replace it. Folders above it may be like
# /tmp, in which users cannot rename or delete the files of others.
is_private() {
  me=$(id -u)
  path=$cache
  case $(stat -c '%u %A' -- "$path") in
  "$me "d????-??-? | "0 "d????-??-?) ;;
  *) return 1 ;;
  esac
  while path=${path%/*} && [ -n "$path" ]; do
    case $(stat -c '%u %A' -- "$path") in
    "$me "d????-??-? | "0 "d????-??-? | "0 "d????????[tT]) ;;
    *) return 1 ;;
    esac
  done
}

# Whether a folder has every file of the archive, unchanged. This detects accidents, not attacks: other
# users cannot write there.
is_whole() {
  # shellcheck disable=SC2086 # No name in the archive has a space.
  [ "$(cd -- "$1" 2>/dev/null && cksum -- $files 2>/dev/null)" = "$checksums" ]
}

# Unpacks into a new folder and renames that when it is complete, so that simultaneous starts never see
# an incomplete one. If a damaged folder exists, each of its files is replaced: a process that uses the
# folder already keeps finding the same content.
unpack() (
  umask 077
  for tool in gzip tar; do
    command -v "$tool" >/dev/null || refuse "$tool is missing; install it to unpack this file"
  done
  if [ "$(tail -c "+$payload_start" -- "$0" | sha256sum)" != "$payload_hash  -" ]; then
    refuse "\"$0\" is damaged; expected the file as it was built"
  fi
  new=$(mktemp -d -- "$cache/.new.XXXXXXXXXX" 2>/dev/null) ||
    refuse_cache 'cannot be written' 'a folder that can'
  trap 'rm -rf -- "$new"' EXIT
  trap 'exit 1' HUP INT TERM
  tail -c "+$payload_start" -- "$0" | gzip -dc 2>/dev/null | (cd -- "$new" && tar -xof -) 2>/dev/null
  is_whole "$new" || refuse_cache 'has no room for 110 MB' 'a folder that has'
  [ -x "$new/deno" ] ||
    refuse_cache 'is on a file system whose programs may not run' 'one where they may'
  "$new/deno" --version >/dev/null 2>&1 ||
    refuse "this machine cannot run it; expected Linux on @machine@ with glibc 2.27 or later"
  mv -T -- "$new" "$folder" 2>/dev/null && exit
  is_whole "$folder" && exit
  for file in $files; do
    place=$folder/$file
    mkdir -p -- "${place%/*}" && mv -fT -- "$new/$file" "$place"
  done 2>/dev/null
  is_whole "$folder" || refuse "\"$folder\" is damaged and cannot be repaired; remove it"
)

main() {
  if [ "$(wc -c <"$0")" != "$file_bytes" ]; then
    refuse "\"$0\" is incomplete; expected $file_bytes bytes"
  fi
  files=$(printf '%s\n' "$checksums" | cut -d ' ' -f 3)
  choose_cache
  folder=$cache/$payload_hash
  is_whole "$folder" || unpack || exit
  export DENO_DIR="$folder/deno_dir" DENO_NO_PACKAGE_JSON=1 DENO_NO_UPDATE_CHECK=1
  exec "$folder/deno" run -A --no-config --no-lock --no-npm --no-remote --cached-only \
    --node-modules-dir=none --no-prompt --unstable-no-legacy-abort "$folder/app/program/main.js" "$@"
}

main "$@"
exit
}
