#!/bin/sh
# Installs this folder for one person, without root: the program, its menu entry, icons, file type and man page.
set -eu

usage() {
    cat <<END
Usage: ./install.sh [--prefix FOLDER]
       ./install.sh --uninstall [--prefix FOLDER]

Installs Pairwright for you alone, into FOLDER (~/.local). Versions lie side by side; the one installed last
is in the menu. --uninstall removes this version. Projects and settings stay.
END
}

fail() {
    echo "$*" >&2
    exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
prefix=${HOME:-}/.local
action=install
while [ $# -gt 0 ]; do
    case $1 in
    --prefix)
        [ $# -gt 1 ] || fail "--prefix wants a folder."
        prefix=$2
        shift
        ;;
    --uninstall) action=uninstall ;;
    --activate) action=activate ;; # what --uninstall of another version calls
    --help | -h)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 1
        ;;
    esac
    shift
done
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
[ -f "$here/VERSION" ] || fail "This folder is incomplete: VERSION is missing. Unpack the archive again."
version=$(cat "$here/VERSION")
versions=$prefix/lib/pairwright
target=$versions/$version

check_system() {
    [ "$(uname -sm)" = "Linux x86_64" ] || fail "This Pairwright is for Linux on x86-64; this machine is $(uname -sm)."
    found=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2)
    lowest=$(cat "$here/GLIBC")
    [ "$(printf '%s\n' "$lowest" "${found:-0}" | sort -V | head -n 1)" = "$lowest" ] ||
        fail "Pairwright needs the C library glibc $lowest or newer; here is ${found:-another one}. Debian 12, Ubuntu 24.04 and Fedora 38 have it."
}

check_complete() {
    [ -f "$here/MANIFEST" ] || fail "This folder is incomplete: MANIFEST is missing. Unpack the archive again."
    bad=$(cd "$here" && sha256sum --check --quiet MANIFEST 2>/dev/null | wc -l)
    [ "$bad" -eq 0 ] || fail "This folder is incomplete: $bad files are missing or damaged. Unpack the archive again; if that does not help, download it again."
}

check_space() {
    place=$prefix
    while [ ! -d "$place" ]; do place=$(dirname -- "$place"); done
    [ -w "$place" ] || fail "$place cannot be written to. Choose another folder: ./install.sh --prefix FOLDER"
    needed=$(du -sk "$here" | cut -f 1)
    free=$(df -Pk "$place" | awk 'NR == 2 { print $4 }')
    [ "$free" -gt "$needed" ] ||
        fail "There is not enough room at $place: $((needed / 1000)) MB are needed, $((free / 1000)) MB are free. Nothing was installed."
}

copy() {
    part=$versions/.$version.part
    mkdir -p "$versions" || fail "$versions cannot be made. Choose another folder: ./install.sh --prefix FOLDER"
    trap 'rm -rf "$part"' EXIT
    trap 'exit 1' HUP INT TERM
    rm -rf "$part"
    cp -RPp "$here" "$part" 2>/dev/null ||
        fail "Not all files could be copied to $versions: is the disk full? Nothing was installed."
    rm -rf "$target"
    mv "$part" "$target"
    trap - EXIT
}

# The path of the program in the menu entry: quoted as the Desktop Entry Specification wants it.
quoted() {
    printf '%s' "$1" | sed -e 's/\\/\\\\\\\\/g' -e 's/["`$]/\\\\&/g' -e 's/%/%%/g'
}

shared_files() {
    (cd "$target/share" && find . -type f)
}

refresh() {
    if command -v update-mime-database >/dev/null; then update-mime-database "$prefix/share/mime" 2>/dev/null || :; fi
    if command -v update-desktop-database >/dev/null; then update-desktop-database "$prefix/share/applications" 2>/dev/null || :; fi
}

activate() {
    mkdir -p "$prefix/bin"
    ln -sfn "$target/pairwright" "$prefix/bin/pairwright-$version"
    if [ -e "$prefix/bin/pairwright" ] && [ ! -L "$prefix/bin/pairwright" ]; then
        echo "Another program is at $prefix/bin/pairwright, and stays; start this one as pairwright-$version." >&2
    else
        ln -sfn "$target/pairwright" "$prefix/bin/pairwright"
    fi
    shared_files | while IFS= read -r file; do
        mkdir -p "$prefix/share/$(dirname -- "$file")"
        case $file in
        *.desktop)
            while IFS= read -r line; do
                case $line in
                Exec=pairwright*) printf 'Exec="%s"%s\n' "$(quoted "$target/pairwright")" "${line#Exec=pairwright}" ;;
                *) printf '%s\n' "$line" ;;
                esac
            done <"$target/share/$file" >"$prefix/share/$file"
            ;;
        *) cp -p "$target/share/$file" "$prefix/share/$file" ;;
        esac
    done
    refresh
}

uninstall() {
    [ -d "$target" ] || fail "Pairwright $version is not installed in $prefix."
    if [ "$(readlink "$prefix/bin/pairwright")" = "$target/pairwright" ]; then
        rm -f "$prefix/bin/pairwright"
        shared_files | while IFS= read -r file; do
            rm -f "$prefix/share/$file"
            rmdir -p "$prefix/share/$(dirname -- "$file")" 2>/dev/null || :
        done
        refresh
        remove_caches
    fi
    rm -f "$prefix/bin/pairwright-$version"
    rm -rf "$target"
    other=$(find "$versions" -mindepth 1 -maxdepth 1 -type d ! -name '.*' | sort -V | tail -n 1)
    if [ -n "$other" ] && [ ! -e "$prefix/bin/pairwright" ]; then
        sh "$other/install.sh" --activate --prefix "$prefix"
        echo "Pairwright $version is removed; $(basename -- "$other") is in the menu now."
    else
        rmdir -p "$versions" "$prefix/bin" 2>/dev/null || :
        echo "Pairwright $version is removed. Projects and settings stay."
    fi
}

# What was made of this menu entry and file type, where there are no others.
remove_caches() {
    applications=$prefix/share/applications
    if [ -z "$(find "$applications" -name '*.desktop' 2>/dev/null)" ]; then rm -f "$applications/mimeinfo.cache"; fi
    mime=$prefix/share/mime
    if [ -z "$(find "$mime/packages" -type f 2>/dev/null)" ] && [ -d "$mime" ]; then
        for name in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version; do
            rm -f "$mime/$name"
        done
        rm -f "$mime"/*/x-pairwright-*.xml
        rmdir "$mime"/* 2>/dev/null || :
    fi
    rmdir -p "$applications" "$mime/packages" "$mime" 2>/dev/null || :
}

case $action in
install)
    [ "$here" != "$target" ] || fail "This is the installed folder. To remove it: ./install.sh --uninstall"
    check_system
    check_complete
    check_space
    copy
    activate
    echo "Pairwright $version is installed: $prefix/bin/pairwright"
    case :${PATH:-}: in
    *":$prefix/bin:"*) ;;
    *) echo "It is in the menu. For commands in a terminal, log in again, or add $prefix/bin to PATH." ;;
    esac
    ;;
uninstall) uninstall ;;
activate) activate ;;
esac
