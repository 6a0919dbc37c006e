// The page of the scoreboard, docs/reference/conformance.md.

/** Lines of at most 100 columns. */
function wrapped(text, indent = '') {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last && last.length + word.length + 1 > 100) lines.push(indent + word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join('\n');
}

const row = (cells) => `| ${cells.join(' | ')} |`;

export function page({ peers, purl, uts58, url, own }) {
  const suites = [...peers, purl];
  const total = (read) => suites.reduce((sum, suite) => sum + read(suite), 0);
  const openCases = ({ reasons }) =>
    [...reasons].reduce((sum, [waiver, count]) => sum + (waiver.open ? count : 0), 0);
  const lines = [
    '# Conformance',
    '',
    wrapped(
      'Results of urigrep in the test suites of standards and of other finders. The files of the suites are fetched at fixed commits and are not part of this repository. The last of these commands runs all of it and rewrites this page:',
    ),
    '',
    '```sh,other',
    'cargo build --release',
    'cd js && npm ci && npm run build',
    'node conformance/run.js --write',
    '```',
    '',
    wrapped(
      'It fails if a case differs and no [waiver](../../js/conformance/waivers.toml) says why, or if a waiver is no longer needed.',
    ),
    '',
    wrapped(
      'It needs git and the network once, and keeps what it fetched. Variables of the environment name other places: `URIGREP` the command, `URIGREP_FIXTURES` the directory of fetched files, `URIGREP_REPOSITORIES` a mirror of the repositories as `https://mirror.example/{owner}/{name}`, and `URIGREP_UTS58` the directory of LinkDetectionTest.txt.',
    ),
    '',
    '## Standards',
    '',
    wrapped(
      "All of these agree. `cargo test --test library` runs the tables of `corpus/`, which were written from the documents, and this command runs the whole of UTS #58's LinkDetectionTest.txt; both fail at the first difference.",
    ),
    '',
    row(['suite', 'cases']),
    '|---|---|',
    ...own.map(({ name, path, count }) => row([`[${name}](../../corpus/${path})`, count])),
    row(['UTS #58: LinkDetectionTest.txt', uts58.cases]),
    '',
    '## Other finders and specifications',
    '',
    wrapped(
      'Each case is a text and what its authors find in it. Their finders serve other purposes, such as links in chat messages, so full agreement is not a goal: no two of these finders agree either. *Argued* differences follow from a rule, and *open* ones may be faults of ours.',
    ),
    '',
    row(['suite', 'cases', 'agree', 'argued', 'open', 'tests used']),
    '|---|---|---|---|---|---|',
    ...suites.map((suite) =>
      row([
        suite.name,
        suite.cases,
        suite.agreed,
        suite.cases - suite.agreed - openCases(suite),
        openCases(suite),
        suite.about,
      ]),
    ),
    row([
      '**all**',
      total(({ cases }) => cases),
      total(({ agreed }) => agreed),
      total((suite) => suite.cases - suite.agreed - openCases(suite)),
      total(openCases),
      '',
    ]),
    '',
    '### Differences',
    '',
    ...suites.flatMap(({ name, source, reasons }) => [
      `**${name}** (${source})`,
      '',
      ...[...reasons]
        .sort(([, a], [, b]) => b - a)
        .map(([{ reason, open }, count]) => wrapped(`- ${count}: ${open ? '*open:* ' : ''}${reason}`, '  ')),
      '',
    ]),
    '## The URL Standard',
    '',
    wrapped(
      `Browsers parse by [the URL Standard](https://url.spec.whatwg.org/), which differs from RFC 3986 on purpose: it accepts and repairs nearly everything. urigrep implements RFC 3986, so its parser is not meant to pass this suite. Of the ${url.cases} inputs of urltestdata.json:`,
    ),
    '',
    row(['', 'inputs']),
    '|---|---|',
    row(['both accept', url.both]),
    row(['of these, with the same normalized result', url.same]),
    row(['both reject', url.neither]),
    row([
      'only the URL Standard accepts: spaces, backslashes, missing slashes, characters to repair',
      url.onlyTheirs,
    ]),
    row(['only RFC 3986 accepts: hosts and ports that browsers refuse', url.onlyOurs]),
    '',
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
