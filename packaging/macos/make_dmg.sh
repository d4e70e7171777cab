#!/usr/bin/env bash
# Makes the disk image of an app, on macOS:  packaging/macos/make_dmg.sh build/bundle/Pairwright.app dist/Pairwright.dmg [FILE ...]
# The files lie beside the app in the image: licences.
# With SIGNING_IDENTITY in the environment it is signed, with NOTARY_PROFILE (a profile of notarytool in the keychain)
# also notarised; README.md here says how both are set up.
set -euo pipefail
app=$1 image=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

ditto "$app" "$folder/$(basename "$app")"
[ $# -eq 0 ] || cp "$@" "$folder/"
ln -s /Applications "$folder/Applications"
hdiutil create -volname Pairwright -srcfolder "$folder" -fs HFS+ -format ULFO -ov "$image"

if [ -n "${SIGNING_IDENTITY:-}" ]; then
    codesign --sign "$SIGNING_IDENTITY" --timestamp "$image"
fi
if [ -n "${NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
fi
