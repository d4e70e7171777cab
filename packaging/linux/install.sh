#!/bin/sh
# Installs this folder, for one person without root: the program, its menu entry, icons, file type and man page.
#
#   PREFIX/lib/pairwright/VERSION  the program of each version; of a light one, VERSION-light
#   PREFIX/lib/pairwright/active   the version that is in the menu, the folder of its shared files, their names
#   PREFIX/bin/pairwright-VERSION  links to the programs; `pairwright` is one to that of the menu
set -eu

usage() {
    cat <<END
Usage: ./install.sh [--prefix FOLDER]
       ./install.sh --uninstall [--prefix FOLDER]

Installs Pairwright for you alone, into FOLDER (~/.local); as root, with --prefix /usr/local, for everybody.
Versions lie side by side; the one installed last is in the menu. --uninstall removes this version. Projects
and settings stay.
END
}

say() {
    printf '%s\n' "$*" # echo takes backslashes for escapes
}

fail() {
    say "$*" >&2
    exit 1
}

incomplete() {
    fail "This folder is incomplete: $*. Unpack the archive again; if that does not help, download it again."
}

here=$(dirname -- "$(readlink -f -- "$0")")
prefix=
action=install
while [ $# -gt 0 ]; do
    case $1 in
    --prefix)
        [ -n "${2:-}" ] || fail "--prefix wants a folder."
        prefix=$2
        shift
        ;;
    --uninstall) action=uninstall ;;
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

is_root() {
    [ "$(id -u)" = 0 ]
}
! is_root || umask 022 # everybody is to run it

# Where the desktop of this person looks for menu entries; relative values do not count, says the specification.
case ${XDG_DATA_HOME:-} in
/*) data_home=$XDG_DATA_HOME ;;
*) data_home=${HOME:-}/.local/share ;;
esac
data_home=$(readlink -m -- "$data_home")
if [ -n "$prefix" ]; then
    prefix=$(readlink -m -- "$prefix") || fail "The folder of --prefix cannot be found."
    share=$prefix/share
else
    ! is_root || fail "Root installs for everybody: give --prefix /usr/local. For you alone, run it without sudo."
    [ -n "${HOME:-}" ] || fail "HOME is not set: give --prefix FOLDER."
    prefix=$(readlink -m -- "$HOME/.local")
    share=$data_home
fi
cd / # the folder that this was started from may be removed

version=$(cat "$here/VERSION" 2>/dev/null) || incomplete "VERSION is missing"
case $version in
'' | .* | */*) incomplete "VERSION is damaged" ;; # its name is that of a folder to remove
esac
versions=$(readlink -m -- "$prefix/lib/pairwright")
target=$versions/$version
part=$versions/.$version.part # the copy, until it is whole
old=$versions/.$version.old   # what it replaces, until it is there
record=$versions/active

check_system() {
    [ "$(uname -sm)" = "Linux x86_64" ] || fail "This Pairwright is for Linux on x86-64; this machine is $(uname -sm)."
    found=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2)
    lowest=$(cat "$here/GLIBC" 2>/dev/null) || incomplete "GLIBC is missing"
    [ "$(printf '%s\n' "$lowest" "${found:-0}" | sort -V | head -n 1)" = "$lowest" ] ||
        fail "Pairwright needs the C library glibc $lowest or newer; here is ${found:-another one}. Debian 12, Ubuntu 24.04 and Fedora 37 have it."
}

check_complete() {
    command -v sha256sum >/dev/null || fail "Whether all files are whole cannot be checked: there is no sha256sum. Install coreutils."
    case $(tail -n 1 "$here/MANIFEST" 2>/dev/null) in
    *"  VERSION") ;;
    *) incomplete "MANIFEST is missing or damaged" ;;
    esac
    bad=$(cd "$here" && sha256sum --check --strict --quiet MANIFEST 2>/dev/null) ||
        incomplete "$(printf '%s\n' "$bad" | wc -l) files are missing or damaged"
}

check_place() {
    case $versions/ in
    "$here"/*) fail "Pairwright cannot be installed into the folder that it is installed from. Choose another with --prefix." ;;
    esac
    place=$versions
    while [ ! -d "$place" ]; do place=$(dirname -- "$place"); done
    [ -w "$place" ] || fail "$place cannot be written to. Choose another folder: ./install.sh --prefix FOLDER"
    needed=$(du -sk "$here" | cut -f 1)
    free=$(df -Pk "$place" | awk 'NR == 2 { print $4 }')
    [ "$free" -gt "$needed" ] ||
        fail "There is not enough room at $place: $((needed / 1000)) MB are needed, $((free / 1000)) MB are free. Nothing was installed."
}

copy() {
    trap 'trap "" HUP INT TERM; settle; remove_empty' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir -p "$versions" 2>/dev/null || fail "$versions cannot be made. Choose another folder: ./install.sh --prefix FOLDER"
    error=$(cp -RP --preserve=mode,timestamps "$here" "$part" 2>&1) ||
        fail "Not all files could be copied; nothing was installed. $(printf '%s\n' "$error" | head -n 1)"
    ! is_root || chmod -R a+rX,go-w "$part"
    [ ! -e "$target" ] || mv "$target" "$old"
    mv "$part" "$target"
    rm -rf "$old"
    trap - EXIT
}

# Takes back, or ends, what an installation that was cut off had begun.
settle() {
    rm -rf "$versions"/.*.part
    if [ -e "$target" ]; then rm -rf "$old"; elif [ -e "$old" ]; then mv "$old" "$target"; fi
}

# Removes the folders that are empty now, but never those of the system.
remove_empty() {
    rmdir "$versions" 2>/dev/null || :
    case $prefix in
    /usr | /usr/local) ;;
    *) rmdir "$share" "$prefix/bin" "$prefix/lib" "$prefix" 2>/dev/null || : ;;
    esac
}

# The path of the program in the menu entry: quoted as the Desktop Entry Specification wants it.
quoted() {
    printf '%s' "$1" | sed -e 's/\\/\\\\\\\\/g' -e 's/["`$]/\\\\&/g' -e 's/%/%%/g'
}

refresh() {
    if command -v update-mime-database >/dev/null; then update-mime-database "$share/mime" 2>/dev/null || :; fi
    if command -v update-desktop-database >/dev/null; then update-desktop-database "$share/applications" 2>/dev/null || :; fi
}

# Whether nothing is at a path, or a link to a version here.
is_free() {
    case $(readlink -- "$1") in
    "$versions"/*) return 0 ;;
    esac
    [ ! -e "$1" ] && [ ! -L "$1" ]
}

# Notes the version as that of the menu, with the shared files of a folder.
write_record() {
    mkdir -p "$versions"
    {
        printf '%s\n' "$version" "$share"
        find "$1/share" -type f -printf '%P\n'
    } >"$record"
}

# Puts the version into the menu and into bin/.
activate() {
    deactivate
    write_record "$target"
    sed 1,2d "$record" | while IFS= read -r file; do
        place=$share/$file
        mkdir -p "${place%/*}"
        case $file in
        *.desktop)
            while IFS= read -r line; do
                case $line in
                Exec=pairwright*) printf 'Exec="%s"%s\n' "$(quoted "$target/pairwright")" "${line#Exec=pairwright}" ;;
                *) printf '%s\n' "$line" ;;
                esac
            done <"$target/share/$file" >"$place"
            ;;
        *) cp "$target/share/$file" "$place" ;;
        esac
    done
    refresh
    mkdir -p "$prefix/bin"
    program=$target/pairwright
    for link in "$prefix/bin/pairwright-$version" "$prefix/bin/pairwright"; do
        if is_free "$link"; then
            ln -sfn "$target/pairwright" "$link"
            program=$link
        else
            say "Another program is at $link, and stays." >&2
        fi
    done
}

# Removes the shared files of the version that is in the menu.
deactivate() {
    [ -f "$record" ] || return 0
    sed 1d "$record" | {
        IFS= read -r folder
        while IFS= read -r file; do
            rm -f "$folder/$file"
            (cd "$folder" && rmdir -p -- "${file%/*}") 2>/dev/null || :
        done
    }
    rm -f "$record"
}

# The newest version that is there: a pre-release is older than its release, a light version than the full one.
newest() {
    find "$versions" -mindepth 1 -maxdepth 1 -type d ! -name '.*' -printf '%f\n' 2>/dev/null |
        sed -E 'h; s/\.dev/~~~dev/; s/([0-9])(a|b|rc)/\1~~\2/; s/-light/~light/; G; s/\n/ /' |
        sort -V -k 1,1 | tail -n 1 | cut -d ' ' -f 2
}

uninstall() {
    settle
    remove_empty
    active=$(sed -n 1p "$record" 2>/dev/null || :)
    [ -e "$target" ] || [ "$active" = "$version" ] || [ "$(readlink -- "$prefix/bin/pairwright-$version")" = "$target/pairwright" ] ||
        fail "Pairwright $version is not installed in $prefix."
    [ -w "$versions" ] || [ ! -e "$versions" ] ||
        fail "$versions cannot be written to. If root installed it: sudo ./install.sh --uninstall --prefix $prefix"
    [ -n "$active" ] || write_record "$here" # cut off before it was written, or removed by hand
    active=$(sed -n 1p "$record")
    share=$(sed -n 2p "$record")
    for link in "$prefix/bin/pairwright-$version" "$prefix/bin/pairwright"; do
        if [ "$(readlink -- "$link")" = "$target/pairwright" ]; then rm -f "$link"; fi
    done
    rm -rf "$target"
    removed="Pairwright $version is removed"
    if [ "$active" = "$version" ]; then
        version=$(newest)
        target=$versions/$version
        if [ -n "$version" ]; then
            activate
            say "$removed; $version is in the menu now."
            return
        fi
        deactivate
        refresh
        remove_caches
    fi
    remove_empty
    say "$removed. Projects and settings stay."
}

# What was made of this menu entry and file type, where there are no others.
remove_caches() {
    applications=$share/applications
    if [ -z "$(find "$applications" -name '*.desktop' 2>/dev/null)" ]; then rm -f "$applications/mimeinfo.cache"; fi
    mime=$share/mime
    if [ -z "$(find "$mime/packages" -type f 2>/dev/null)" ] && [ -d "$mime" ]; then
        for name in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version; do
            rm -f "$mime/$name"
        done
        rm -f "$mime"/*/x-pairwright-*.xml
        rmdir "$mime"/* 2>/dev/null || :
    fi
    rmdir "$applications" "$mime" 2>/dev/null || :
}

# What to do after an installation where it is not enough to look into the menu.
say_where() {
    say "Pairwright $version is installed: $program"
    case :$data_home:/usr/local/share:/usr/share:${XDG_DATA_DIRS:-}: in
    *":$share:"*) say "It is in the menu." ;;
    *) say "It is in no menu: desktops do not look into $share." ;;
    esac
    found=$(command -v "$(basename -- "$program")" || :)
    if [ "$(readlink -f -- "$found")" != "$target/pairwright" ]; then
        say "For commands in a terminal, log in again, or put $prefix/bin first in PATH."
    fi
}

case $action in
install)
    [ "$here" != "$target" ] || fail "This is the installed folder. To remove it: ./install.sh --uninstall"
    check_system
    check_complete
    settle
    check_place
    copy
    activate
    say_where
    ;;
uninstall) uninstall ;;
esac
