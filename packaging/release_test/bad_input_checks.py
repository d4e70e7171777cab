"""What goes wrong on people's machines: half a download, no display, no fonts, homes of all kinds, full disks."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from chroot import Chroot, quoted, stop
from report import demand
from screen import picture_at_rest
from world import World, crashed, demo, export_digest, give_to_user, last_line

ODD_HOME = "/home/Zoë Müller, ß"
_READ_ONLY = 'mount --bind "$ROOT/home" "$ROOT/home"; mount -o remount,bind,ro "$ROOT/home"'
_NO_FONTS = (
    'mkdir -p "$ROOT/usr/local/share/fonts"; for d in usr usr/local; do mount -t tmpfs t "$ROOT/$d/share/fonts"; done'
)


def half_a_tarball(world: World) -> str:
    """Half a tarball is not installed, and says so"""
    system = world.unpacked("half")
    folder = _unpacked_folder(system)
    files = sorted(path for path in (folder / "_internal").rglob("*") if path.is_file())
    for path in files[len(files) // 2 :]:
        path.unlink()
    before = _files_below(system, "/home/ada/.local")  # settings of the package that was there before
    done = system.run(_in(system, "./install.sh"))
    demand(done.returncode != 0, "install.sh installed it")
    demand(_files_below(system, "/home/ada/.local") == before, "install.sh left something in ~/.local")
    said = (done.stderr or done.stdout).strip().splitlines()[-1]
    run = system.run(_in(system, "./pairwright doctor"))
    demand(run.returncode != 0 and not crashed(run), f"the program: {last_line(run)}")
    wrong = [line for line in run.stdout.splitlines() if line.startswith("WRONG")]
    return f"install.sh: “{said}”; doctor: {'; '.join(wrong) or last_line(run)}"


def no_display(world: World) -> str:
    """Without a display it says so"""
    done = world.installed.run("pairwright")
    demand(done.returncode == 1 and not crashed(done), last_line(done))
    return f"“{done.stderr.strip()}”"


def no_fonts(world: World) -> str:
    """Without any font the window opens all the same"""
    system, picture = world.installed.layer("no-fonts"), world.work / "window-no-fonts.png"
    with system.start("pairwright --sample", prepare=_NO_FONTS, variables={"DISPLAY": world.display}) as process:
        try:
            rested = picture_at_rest(world.python, world.display, picture)
            demand(process.poll() is None, f"it ended with {process.poll()}")
        finally:
            stop(process)
    demand(rested, "nothing came to rest on the screen")
    return str(picture)


def read_only_home(world: World) -> str:
    """With a read-only home, commands and the window work on a project elsewhere"""
    system = world.installed.layer("read-only")
    call = "pairwright --quiet --project a.pairwright"
    lines = f"cd /tmp; cp -r ~/samples .; pairwright new a.pairwright && {call} add samples/nlp && {call} mine"
    lines += " && pairwright a.pairwright --quit-when-ready"
    done = system.run(lines, prepare=_READ_ONLY, variables={"DISPLAY": world.display})
    demand(done.returncode == 0 and not crashed(done), last_line(done))
    return "new, add, mine, window"


def odd_home(world: World) -> str:
    """In a home with spaces and umlauts the tarball installs, works and goes without a trace"""
    system = world.unpacked("odd-home", f"{ODD_HOME}/Downloads")
    home = system.upper / ODD_HOME.removeprefix("/")
    shutil.copytree(world.bare.upper / "home" / "ada" / "samples", home / "samples")
    give_to_user(home)
    before = _files_below(system, ODD_HOME)
    folder = _unpacked_folder(system)
    inside = "/" + folder.relative_to(system.upper).as_posix()
    done = system.run(f"cd {quoted(inside)}; ./install.sh", home=ODD_HOME)
    demand(done.returncode == 0, f"install.sh: {last_line(done)}")
    program = f"{ODD_HOME}/.local/bin/pairwright"
    done = system.run(demo(program), home=ODD_HOME)
    demand(done.returncode == 0, f"the demo: {last_line(done)}")
    demand(export_digest(home / "demo") == world.expected_export, "the demo's export has other bytes")
    done = system.run(
        f"{quoted(program)} demo.pairwright --quit-when-ready", home=ODD_HOME, variables={"DISPLAY": world.display}
    )
    demand(done.returncode == 0, f"the window: {last_line(done)}")
    done = system.run(f"cd {quoted(inside)}; ./install.sh --uninstall", home=ODD_HOME)
    demand(done.returncode == 0, f"install.sh --uninstall: {last_line(done)}")
    kept = re.compile(r"/\.?demo|/\.config/|/\.cache/|/\.local/(state|share)/pairwright/")  # projects and settings
    left = {path for path in _files_below(system, ODD_HOME) - before if not kept.search(path)}
    demand(not left, f"{len(left)} paths stay, such as {', '.join(sorted(left)[:5])}")
    return "export bytes equal, window, nothing left but settings"


def two_at_once(world: World) -> str:
    """The package and the unpacked tarball work at the same time, each with its own files"""
    system = world.installed.layer("two")
    tarball = world.unpacked("two-tarball")
    moved = system.upper / "home" / "ada" / "unpacked"
    shutil.move(_unpacked_folder(tarball), moved)
    give_to_user(moved.parent)
    one = f"mkdir one two; ln -s ../samples one; ln -s ../samples two; (cd one; {demo('pairwright')}) & "
    two = f"(cd two; {demo('/home/ada/unpacked/pairwright')}) & "
    done = system.run(f"{one} {two} wait %1 && wait %2")
    demand(done.returncode == 0, last_line(done))
    digests = {export_digest(system.upper / "home" / "ada" / name / "demo") for name in ("one", "two")}
    demand(digests == {world.expected_export}, "the exports have other bytes")
    return "both demos at once, export bytes equal"


def newer_package(world: World) -> str:
    """A newer package replaces an older one while its window is open"""
    system = world.installed.layer("newer")
    lines = "dpkg-deb -R /pairwright.deb /newer && sed -i 's/^Version: .*/&+1/' /newer/DEBIAN/control "
    lines += "&& dpkg-deb -b -Znone /newer /newer.deb >/dev/null && rm -r /newer "
    lines += "&& { runuser -u ada -- pairwright --sample >/dev/null 2>&1 & running=$!; } && sleep 15 "
    lines += "&& dpkg -i /newer.deb && kill -0 $running && kill $running && pairwright --version"
    done = system.run(lines, user="root", variables={"DISPLAY": world.display}, timeout=900)
    demand(done.returncode == 0, last_line(done))
    version = system.run("dpkg-query -W -f '${Status} ${Version}' pairwright", user="root").stdout
    demand(version.startswith("install ok installed") and version.endswith("+1"), version)
    return version.rpartition(" ")[2]


def full_disk_for_the_package(world: World) -> str:
    """On a full disk the package is not installed, and can be once there is room"""
    system = world.dependencies.layer("full-disk")
    shutil.copy(world.made("pairwright_*.deb"), system.upper / "pairwright.deb")
    listed = system.run("dpkg-deb -c /pairwright.deb | awk '/_internal\\/$/ {print $6; exit}'", user="root").stdout
    place = Path("/", listed.strip()).parent
    prepare = f'mkdir -p "$ROOT{place}"; mount -t tmpfs -o size=100m t "$ROOT{place}"'
    done = system.run("dpkg -i /pairwright.deb", user="root", prepare=prepare)
    demand(done.returncode != 0, f"dpkg installed it into 100 MB at {place}")
    said = next((line for line in done.stderr.splitlines() if "space" in line), last_line(done))
    broken = system.run("pairwright --version", prepare=prepare)
    demand(broken.returncode != 0, "the half-installed program starts")
    again = system.run("dpkg -i /pairwright.deb && pairwright --version", user="root")
    demand(again.returncode == 0, f"afterwards, with room: {last_line(again)}")
    return f"“{said.strip()[-120:]}”; then, with room, {again.stdout.splitlines()[-1]}"


def full_disk_for_the_tarball(world: World) -> str:
    """On a full disk install.sh stops, says so, and leaves nothing"""
    system = world.unpacked("full-home")
    prepare = 'mkdir -p "$ROOT/small"; mount -t tmpfs -o size=100m,uid=1000 t "$ROOT/small"'
    folder = _unpacked_folder(system)
    inside = quoted("/" + folder.relative_to(system.upper).as_posix())
    line = f"cd {inside}; ./install.sh; echo status $?; find /small -type f -o -type l"
    done = system.run(line, prepare=prepare, home="/small")
    _, _, rest = done.stdout.partition("status ")
    status, *left = rest.splitlines()
    demand(status != "0", "install.sh installed it into 100 MB")
    demand(not left, f"{len(left)} files stay, such as {left[:3]}")
    return f"“{done.stderr.strip().splitlines()[-1]}”"


def _unpacked_folder(system: Chroot) -> Path:
    (found,) = system.upper.glob("home/**/install.sh")
    return found.parent


def _in(system: Chroot, command: str) -> str:
    return f"cd {quoted('/' + _unpacked_folder(system).relative_to(system.upper).as_posix())}; {command}"


def _files_below(system: Chroot, folder: str) -> set[str]:
    done = system.run(f"find {quoted(folder)} -type f -o -type l", user="root")
    return set(done.stdout.splitlines())


CHECKS = [
    half_a_tarball,
    no_display,
    no_fonts,
    read_only_home,
    odd_home,
    two_at_once,
    newer_package,
    full_disk_for_the_package,
    full_disk_for_the_tarball,
]
