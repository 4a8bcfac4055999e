#!/bin/sh
# Packs the packages of a release into FOLDER: for npm `rollcall` and `@rollcall/client`, the archive that Composer
# reads, and the Helm chart. With --built, it takes the pages of the last build; with --publish, it sends those of npm to the
# registry. Usage: packages.sh FOLDER [--built | --publish]
set -eu
cd "$(dirname "$0")/../.."
folder=${1:?"expected a folder"}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ "${2-}" = --built ] && built=--built || built=
deno task build:npm ${built:+"$built"} --output "$folder/npm"
rm -r "$folder/npm"
deno task build:client
npm pack ./dist/client --pack-destination "$folder" --offline
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' deno.json)
git archive --format=zip --output "$folder/rollcall-laravel-$version.zip" HEAD:packages/laravel
git archive --format=tar.gz --prefix=rollcall/ --output "$folder/rollcall-chart-$version.tgz" HEAD:deploy/helm/rollcall
[ "${2-}" = --publish ] || exit 0
for file in "$folder/rollcall-$version.tgz" "$folder/rollcall-client-$version.tgz"; do
  npm publish "$file" --access public --provenance
done
