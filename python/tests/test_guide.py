"""The sessions of the guide's page about Python, and that there are some."""

import doctest

import pytest
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
