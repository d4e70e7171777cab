#!/usr/bin/env bash
# Makes an AppImage of a bundle and of what make_files.py wrote:
#   packaging/linux/appimage/make.sh build/bundle/pairwright build/stage dist/Pairwright-x86_64.AppImage
# Where there is no appimagetool (https://github.com/AppImage/appimagetool; it fetches the runtime when it is run, or takes
# it by --runtime-file), the folder OUT.AppDir is left, which runs by its AppRun.
set -euo pipefail
bundle=$1 stage=$2 image=$3
here=$(dirname "$(readlink -f "$0")")
folder=$image.AppDir

rm -rf "$folder"
mkdir -p "$folder/usr/lib"
cp -a "$bundle" "$folder/usr/lib/pairwright"
echo appimage >"$folder/usr/lib/pairwright/INSTALLED-BY"
cp -a "$stage/usr/share" "$folder/usr/share"
install -m 755 "$here/AppRun" "$folder/AppRun"
cp "$folder/usr/share/applications/pairwright.desktop" "$folder/"
cp "$folder/usr/share/icons/hicolor/scalable/apps/pairwright.svg" "$folder/"
ln -s pairwright.svg "$folder/.DirIcon"

if ! command -v appimagetool >/dev/null; then
    echo "There is no appimagetool: $folder is what it would pack." >&2
    exit 0
fi
appimagetool --no-appstream "$folder" "$image"
rm -rf "$folder"
