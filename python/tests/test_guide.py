"""The sessions of the guide's page about Python, and that there are some."""

import doctest

import pytest
import urigrep
from conftest import ROOT

PAGES = ["docs/guide/python.md", "python/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_sessions_print_what_the_page_shows(page, monkeypatch):
    monkeypatch.chdir(ROOT / "docs/guide/files")
    # A fence is no output of the example before it.
    text = (ROOT / page).read_text().replace("```\n", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert test.examples
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0


def test_examples_in_docstrings():
    """Those of functions and methods written in Rust, which `doctest` does not find by itself."""
    documented = {name: getattr(urigrep, name) for name in urigrep.__all__ if not name.startswith("_")}
    documented |= {f"Finder.{name}": of for name, of in vars(urigrep.Finder).items() if not name.startswith("_")}
    count = 0
    for name, of in documented.items():
        # The list of options has no examples.
        text = (of.__doc__ or "").split("\nOptions are keywords")[0]
        test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        count += bool(test.examples)
        assert doctest.DocTestRunner().run(test).failed == 0, name
    assert count >= 5
