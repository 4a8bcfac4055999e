#!/bin/sh
# Makes the executable of this machine for a release, as FOLDER/rollcall-SYSTEM-MACHINE, where its name is
# the one that deploy/install.sh looks for. Flags are those of `deno task package`.
# Usage: build.sh FOLDER [FLAGS]
set -eu
cd "$(dirname "$0")/../.."
folder=${1:?"expected a folder"}
shift
case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
*)
  echo "Executables are made on Linux and macOS" >&2
  exit 1
  ;;
esac
case $(uname -m) in
x86_64) machine=x64 ;;
aarch64 | arm64) machine=arm64 ;;
*)
  echo "Executables are made on x86-64 and arm64" >&2
  exit 1
  ;;
esac
mkdir -p "$folder"
deno task package --output "$folder/rollcall-$system-$machine" "$@"
"$folder/rollcall-$system-$machine" --version
