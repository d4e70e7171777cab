"""The .deb on a bare system: what it installs works for a plain user without network, and goes without a trace."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from chroot import Chroot, stop
from report import demand
from screen import compare_pictures, picture_at_rest
from world import World, crashed, demo, export_digest, last_line

# What the package manager and its triggers write by themselves.
_GENERATED = re.compile(
    r"/(var/(lib|cache|log)|usr/local|run|tmp|root|home|dev|proc|etc/(ld\.so\.cache|fonts|ssl|mailcap|resolv\.conf|rc\d\.d))(/|$)"
    r"|/usr/share/(mime/|applications/mimeinfo\.cache|icons/[^/]+/icon-theme\.cache)|__pycache__|/pairwright\.deb$"
)


def system_is_bare(world: World) -> str:
    """The system has no Python before"""
    done = world.bare.run("command -v python3 python; cat /etc/debian_version", user="root")
    demand("python" not in done.stdout, f"there is {done.stdout.split()[0]}")
    return f"Debian {done.stdout.strip()}"


def apt_installs_it(world: World) -> str:
    """apt installs the .deb, and no Python with it"""
    begun = time.monotonic()
    system = world.installed
    took = time.monotonic() - begun
    done = system.run("dpkg-query -W -f '${Version}, ${Installed-Size} KiB installed' pairwright; command -v python3")
    demand("python3" not in done.stdout, "it brings the system's Python along")
    archive = world.made("pairwright_*.deb").stat().st_size / 1e6
    return f"{done.stdout.strip()}, {archive:.0f} MB to fetch, in {took:.0f} s"


def version_is_quick(world: World) -> str:
    """--version takes .2 s at most, of a processor's time"""
    line = "TIMEFORMAT='%R %U %S'; for i in {1..12}; do time pairwright --version; done"
    done = world.installed.run(line)
    times = re.findall(r"^([\d.]+) ([\d.]+) ([\d.]+)$", done.stderr, re.MULTILINE)
    demand(len(times) == 12, last_line(done))
    wall, user, kernel = min((float(wall), float(user), float(kernel)) for wall, user, kernel in times)
    figure = (
        f"{wall:.2f} s, {user + kernel:.2f} s of them computing (the quickest of 12; load {os.getloadavg()[0]:.1f})"
    )
    demand(user + kernel <= 0.2, figure)
    return figure


def demo_is_the_same(world: World) -> str:
    """The demo's export has the bytes of the environment's, without network"""
    done = world.installed.run("rm -rf demo demo.* .demo.*; " + demo("pairwright"))
    demand(done.returncode == 0, last_line(done))
    digest = export_digest(world.installed.upper / "home" / "ada" / "demo")
    demand(digest == world.expected_export, f"{digest[:12]} and not {world.expected_export[:12]}")
    return f"SHA-256 {digest[:12]}…"


def models_work(world: World) -> str:
    """It suggests, trains, and suggests by what it trained, without network"""
    call = "pairwright --quiet --project demo.pairwright"
    line = f"{call} suggest && {call} train --name t --epochs 1 --folds 0 && {call} suggest --model 1-t"
    done = world.installed.run(line)
    demand(done.returncode == 0, last_line(done))
    said = re.findall(r"\d+ pairs with a suggestion by \w+", done.stdout)
    demand(len(said) == 2, f"it said “{done.stdout.strip()[-300:]}”")
    return "; ".join(said)


def doctor_is_content(world: World) -> str:
    """doctor finds the parts, and says how it was installed"""
    done = world.installed.run("pairwright doctor")
    demand(done.returncode == 0, last_line(done))
    demand("by the Debian package" in done.stdout, done.stdout)
    return next(line.strip() for line in done.stdout.splitlines() if "by the Debian package" in line)


def window_opens(world: World) -> str:
    """The window opens the sample project, and looks as the environment's"""
    ours, theirs = world.work / "window.png", world.work / "window-venv.png"
    variables = {"DISPLAY": world.display}
    with world.installed.start("pairwright --sample", variables=variables) as process:
        try:
            rested = picture_at_rest(world.python, world.display, ours)
            demand(process.poll() is None, f"it ended with {process.poll()}")
        finally:
            stop(process)
    demand(rested, f"nothing came to rest on the screen: {ours}")
    data = world.work / "window-data"
    shutil.rmtree(data, ignore_errors=True)
    command: list[str | Path] = [world.program, "--sample", "--data-dir", data]
    with subprocess.Popen(command, env={"DISPLAY": world.display, "HOME": str(data), "LANG": "C.UTF-8"}) as process:
        try:
            picture_at_rest(world.python, world.display, theirs)
        finally:
            process.kill()
    share, colours = compare_pictures(world.python, ours, theirs)
    demand(share > 0.97, f"only {share:.1%} of the pixels are those of the environment's: {ours}, {theirs}")
    return f"{share:.1%} of the pixels equal, {colours} colours: {ours}"


def window_is_quick(world: World) -> str:
    """The window is there in 1.3 times what the environment's takes at most"""
    ours = _window_seconds_bundle(world.installed, world.display)
    theirs = _window_seconds_venv(world)
    demand(ours <= 1.3 * theirs, f"{ours:.2f} s against {theirs:.2f} s, {ours / theirs:.2f} times")
    return f"{ours:.2f} s against {theirs:.2f} s, {ours / theirs:.2f} times (the quickest of 6)"


def light_package_works(world: World) -> str:
    """The package without torch exports the same bytes, suggests, and says what it cannot do"""
    system = world.dependencies.layer("light")
    deb = world.made("pairwright-light_*.deb")
    shutil.copy(deb, system.upper / "light.deb")
    done = system.run("dpkg -i /light.deb", user="root")
    demand(done.returncode == 0, f"dpkg: {last_line(done)}")
    done = system.run("rm -rf demo demo.* .demo.*; " + demo("pairwright"))
    demand(done.returncode == 0, last_line(done))
    digest = export_digest(system.upper / "home" / "ada" / "demo")
    demand(digest == world.expected_export, f"{digest[:12]} and not {world.expected_export[:12]}")
    done = system.run("pairwright --quiet --project demo.pairwright suggest")
    demand(done.returncode == 0, f"suggest: {last_line(done)}")
    done = system.run("pairwright --quiet --project demo.pairwright train --name t")
    demand(done.returncode == 1 and not crashed(done), f"train: {last_line(done)}")
    return f"{deb.stat().st_size / 1e6:.0f} MB; train: “{done.stderr.strip()}”"


def projects_belong_to_it(world: World) -> str:
    """A double click on a .pairwright file opens it"""
    system = world.installed.layer("association")
    packages = "xdg-utils libglib2.0-bin shared-mime-info desktop-file-utils"
    done = system.run(f"apt-get install -y -qq --no-install-recommends {packages}", user="root", network=True)
    demand(done.returncode == 0, f"apt-get: {last_line(done)}")
    lines = "pairwright new a.pairwright >/dev/null; cp a.pairwright nameless; xdg-mime query filetype a.pairwright; "
    lines += "xdg-mime query filetype nameless; xdg-mime query default $(xdg-mime query filetype a.pairwright)"
    done = system.run(lines, variables={"XDG_CURRENT_DESKTOP": "GNOME"})
    kind, by_content, default = (*done.stdout.split(), "", "", "")[:3]
    demand("pairwright" in kind, f"a .pairwright file is {kind or last_line(done)}")
    demand("pairwright" in default.lower(), f"{kind} is opened by {default or 'nothing'}")
    demand(by_content == kind, f"without its ending the file is {by_content}")
    return f"{kind} (also by content), opened by {default}"


def removal_leaves_nothing(world: World) -> str:
    """dpkg -r leaves nothing behind"""
    system = world.installed.layer("removed")
    required = world.bare.layer("required")
    install = f"apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq {_required(world)}"
    done = required.run(install, user="root", network=True, timeout=900)
    demand(done.returncode == 0, last_line(done))
    before = _files(required)
    done = system.run("dpkg -r pairwright", user="root")
    demand(done.returncode == 0, last_line(done))
    listed = system.run("cat /var/lib/dpkg/info/*.list", user="root").stdout.splitlines()
    owned = set(listed)
    owned |= {f"/usr{line}" for line in owned if re.match(r"/(bin|sbin|lib\w*)/", line)}
    left = [path for path in _files(system) - before - owned if not _GENERATED.search(path)]
    ours = [path for path in _files(system) if "airwright" in path and not path.startswith(("/home", "/var/log"))]
    ours = [path for path in ours if path not in ("/pairwright.deb",) and "/var/lib/apt" not in path]
    demand(not left and not ours, f"{len(left) + len(ours)} paths stay, such as {', '.join((ours + left)[:5])}")
    return "no path more than the dependencies'"


def _required(world: World) -> str:
    """The packages that the package asks for, the first of each choice."""
    command: list[str | Path] = ["dpkg-deb", "-f", world.made("pairwright_*.deb")]
    fields = [
        subprocess.run([*command, name], capture_output=True, text=True).stdout for name in ("Depends", "Recommends")
    ]
    return " ".join(re.findall(r"(?:^|, )([\w.+-]+)", ", ".join(map(str.strip, fields))))


def _files(system: Chroot) -> set[str]:
    done = system.run("find / -xdev -not -type d -o -xdev -empty", user="root")
    return set(done.stdout.splitlines())


def _window_seconds_bundle(system: Chroot, display: str) -> float:
    line = "TIMEFORMAT=%R; for i in 1 2 3 4 5 6; do time pairwright --quit-when-ready --data-dir /tmp/w; done"
    done = system.run(line, variables={"DISPLAY": display})
    times = [float(word) for word in done.stderr.split() if re.fullmatch(r"\d+\.\d+", word)]
    demand(done.returncode == 0 and len(times) == 6, last_line(done))
    return min(times)


def _window_seconds_venv(world: World) -> float:
    times = []
    environment = {"DISPLAY": world.display, "HOME": str(world.work), "LANG": "C.UTF-8"}
    command: list[str | Path] = [world.program, "--quit-when-ready", "--data-dir", world.work / "quick-data"]
    for _ in range(6):
        begun = time.monotonic()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        times.append(time.monotonic() - begun)
    return min(times)


CHECKS = [
    system_is_bare,
    apt_installs_it,
    version_is_quick,
    demo_is_the_same,
    models_work,
    doctor_is_content,
    window_opens,
    window_is_quick,
    light_package_works,
    projects_belong_to_it,
    removal_leaves_nothing,
]
