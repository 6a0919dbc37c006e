"""The package: the command it installs, its keywords, its types."""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from importlib import metadata
from pathlib import Path

import urigrep
from conftest import ROOT

LICENCES = ["LICENSE-MIT", "LICENSE-APACHE"]
STUBS = Path(urigrep.__file__).with_name("_urigrep.pyi")


def test_version():
    assert urigrep.__version__ == tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["version"]


def test_the_page_of_the_package():
    """What PyPI shows: one address, licences, and links that lead somewhere from there."""
    package = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]
    project = tomllib.loads((ROOT / "python" / "pyproject.toml").read_text())["project"]
    assert project["license"] == package["license"]
    assert {"Homepage", "Documentation", "Repository", "Issues", "Changelog"} <= set(project["urls"])
    assert all(url.startswith(package["repository"]) for url in project["urls"].values())
    for name in LICENCES:
        assert (ROOT / "python" / "licenses" / name).read_bytes() == (ROOT / name).read_bytes(), name
    readme = (ROOT / "python" / "README.md").read_text()
    start = f"{package['repository']}/"
    for link in re.findall(r"\]\(([^)]+)\)", readme):
        assert link.startswith(start), link
        kind, branch, path = link.removeprefix(start).split("/", 2)
        assert branch == "main" and (ROOT / path).exists() and (ROOT / path).is_dir() == (kind == "tree"), link


def test_what_is_installed_has_metadata_and_licences():
    installed = metadata.distribution("urigrep")
    known = installed.metadata
    assert known["License-Expression"] == "MIT OR Apache-2.0"
    assert len(known.get_all("Project-URL")) >= 5 and "Typing :: Typed" in known.get_all("Classifier")
    files = [Path(file) for file in installed.files or ()]
    assert len(known.get_all("License-File")) == len(LICENCES)
    for name in LICENCES:
        found = [file for file in files if file.name == name]
        assert found and all(installed.locate_file(file).read_bytes() == (ROOT / name).read_bytes() for file in found)


def test_command_is_installed(tmp_path):
    (tmp_path / "a.txt").write_text("see http://a.example/")
    for start in ([Path(sysconfig.get_path("scripts")) / "urigrep"], [sys.executable, "-m", "urigrep"]):
        ran = subprocess.run([*start, "-n", "a.txt"], cwd=tmp_path, capture_output=True, text=True)
        assert (ran.returncode, ran.stdout) == (0, "1:http://a.example/\n"), ran.stderr
        assert subprocess.run([*start, "none.txt"], cwd=tmp_path, capture_output=True).returncode == 2
    ran = subprocess.run([sys.executable, "-m", "urigrep", "--version"], capture_output=True, text=True)
    assert ran.stdout == f"urigrep {urigrep.__version__}\n"


def test_stubs_name_all_there_is():
    tree = ast.parse(STUBS.read_text())
    names = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    missing = {name for name in urigrep.__all__ if not name.startswith("_")} - names
    assert not missing
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and (of := getattr(urigrep, node.name, None)) is not None:
            in_stubs = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            public = {name for name in vars(of) if not name.startswith("_")}
            assert public <= in_stubs | {"offset", "reason"}, (node.name, public - in_stubs)
            assert {name for name in in_stubs if not name.startswith("_")} <= set(dir(of)), node.name


def test_stubs_name_the_keywords():
    tree = ast.parse(STUBS.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}

    def keywords(name):
        node = classes[name]
        own = {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
        bases = [base.id for base in node.bases if base.id in classes]
        return own.union(*map(keywords, bases))

    for of, name in (("find", "TextOptions"), ("scan", "ScanOptions"), ("audit", "AuditOptions")):
        assert keywords(name) == set(urigrep.option_names(of)), of


def test_docstrings_list_the_options():
    """`help(urigrep.find)` shows every option. URIGREP_UPDATE_DOCS=1 writes the lists; build the package again after it."""
    for of in ("find", "scan", "audit"):
        helped = urigrep.option_help(of)
        assert set(helped) == set(urigrep.option_names(of)) and all(helped.values())
        lines = [f"- `{name}`: {text}" for name, text in helped.items()]
        wanted = "\n".join(["Options are keywords for the flags of the command:", "", *lines, ""])
        listed = ROOT / "python" / "src" / "help" / f"{of}.txt"
        if os.environ.get("URIGREP_UPDATE_DOCS"):
            listed.write_text(wanted)
            continue
        assert listed.read_text() == wanted
        assert wanted.strip() in getattr(urigrep, of).__doc__, of
    if os.environ.get("URIGREP_UPDATE_DOCS"):
        return
    for documented in (urigrep.Finder, urigrep.finditer, urigrep.find_batch, urigrep.extract_batch, urigrep.explain):
        assert "- `refang`: " in documented.__doc__
