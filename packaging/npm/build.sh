#!/usr/bin/env bash
# Packs the npm packages: midwire, and midwire-linux-x64, which has the command. Needs no network.
# Usage: build.sh STAGE VERSION FOLDER
set -euo pipefail
stage=$1 version=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r "$here/midwire" "$here/midwire-linux-x64" "$work"
sed -i "s/\"VERSION\"/\"$version\"/" "$work"/*/package.json
cp "$stage/share/doc/midwire/LICENSE" "$work/midwire"
platform=$work/midwire-linux-x64
cp "$stage/share/doc/midwire/LICENSE" "$stage/share/doc/midwire/NOTICES.gz" "$platform"
cp -r "$stage/bin" "$stage/lib" "$stage/share" "$platform"
rm -rf "$platform/share/doc"
for package in midwire midwire-linux-x64; do
  (cd "$work/$package" && npm pack --offline --silent --pack-destination "$out")
done
