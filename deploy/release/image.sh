#!/bin/sh
# Builds the image for this machine and sends it to a registry, or joins the images of several machines under
# one name. The second and third form need a registry that this user may write to.
#
#   image.sh build NAME            makes NAME on this machine
#   image.sh push NAME             makes and sends NAME-x64 or NAME-arm64
#   image.sh join NAME             makes NAME of NAME-x64 and NAME-arm64
set -eu
cd "$(dirname "$0")/../.."
name=${2:?"expected build, push or join, and a name"}
case $1 in
build) docker build --file deploy/Containerfile --tag "$name" . ;;
push)
  case $(uname -m) in x86_64) machine=x64 ;; *) machine=arm64 ;; esac
  docker build --file deploy/Containerfile --tag "$name-$machine" .
  # A release has the packages of JSR.
  if docker run --rm "$name-$machine" --version | grep -q shims; then
    echo "The image has shims for packages of JSR" >&2
    exit 1
  fi
  docker push "$name-$machine"
  ;;
join) docker buildx imagetools create --tag "$name" "$name-x64" "$name-arm64" ;;
*)
  echo "Expected build, push or join, and a name" >&2
  exit 2
  ;;
esac
