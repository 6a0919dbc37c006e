// Runs the suites of standards and of other finders, and writes docs/reference/conformance.md.
//
// usage: node conformance/run.js [--write] [--differences SUITE]
//
// Every difference from a suite has a waiver in waivers.toml: why we decide otherwise. A difference without one is an
// error, and so is a waiver that nothing needs.
//
// It needs the command, dist/, and the suites: see the message of each that is missing.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commit, file, list, Missing, uts58 } from './fixtures.js';
import { PEERS } from './peers.js';
import { page } from './page.js';

async function built() {
  const [toml, library, plugin] = await Promise.all([
    import('smol-toml'),
    import('../dist/node.mjs'),
    import('../dist/linkify-it.mjs'),
  ]);
  return { parseToml: toml.parse, ...library, LinkifyIt: plugin.LinkifyIt };
}

const { parseToml, Finder, normalize, parse, resolve, LinkifyIt } = await built().catch((error) => {
  console.error(`conformance: ${error.message}; run \`npm ci && npm run build\``);
  process.exit(2);
});

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const corpus = join(root, 'corpus');

const finders = new Map();
function finder(options) {
  const key = JSON.stringify(options);
  if (!finders.has(key)) finders.set(key, new Finder({ rejoin: 'never', ...options }));
  return finders.get(key);
}

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true });

/** Targets are compared decoded: suites differ in what they encode. */
function decoded(uri) {
  try {
    return decodeURI(uri);
  } catch {
    return uri;
  }
}

/** What we find in a case, in the form of what it expects. */
function found({ text, by, options }, suite) {
  if (suite.options.linkifyIt) return (linkify.match(text) ?? []).map((match) => match.raw);
  const matches = finder(options ?? suite.options).find(text);
  return matches.map((match) => (by === 'href' ? decoded(match.uri) : match.text));
}

function agrees(each, ours) {
  const expected = each.by === 'href' ? each.expected.map(decoded) : each.expected;
  switch (each.by) {
    // The suite looks at the first match only.
    case 'first':
      return expected.length === 0 ? ours.length === 0 : ours[0] === expected[0];
    case 'not-whole':
      return !(ours.length === 1 && ours[0] === expected[0]);
    default:
      return ours.length === expected.length && ours.every((one, at) => one === expected[at]);
  }
}

const { waiver: waivers } = parseToml(readFileSync(join(here, 'waivers.toml'), 'utf8'));
const shown = process.argv.includes('--differences')
  ? process.argv[process.argv.indexOf('--differences') + 1]
  : undefined;
const faults = [];

/** The waivers of a suite, by the names of cases. */
function waiversOf(name) {
  const own = waivers.filter(({ suite }) => suite === name);
  return new Map(own.flatMap((waiver) => waiver.cases.map((id) => [id, waiver])));
}

function runPeer(suite) {
  const cases = [...suite.cases()];
  if (cases.length === 0) throw new Error(`${suite.name}: no case was read`);
  const given = waiversOf(suite.name);
  const reasons = new Map();
  let agreed = 0;
  for (const each of cases) {
    const ours = found(each, suite);
    if (agrees(each, ours)) {
      agreed++;
      continue;
    }
    const waiver = given.get(each.id);
    given.delete(each.id);
    if (waiver === undefined) faults.push(`${suite.name} ${each.id}: a difference without a waiver`);
    else reasons.set(waiver, (reasons.get(waiver) ?? 0) + 1);
    if (shown === suite.name)
      console.log(
        `${each.id}\t${waiver?.reason ?? 'NONE'}\n  ${JSON.stringify(each.text)}\n  want ${JSON.stringify(each.expected)}\n  ours ${JSON.stringify(ours)}`,
      );
  }
  for (const id of given.keys()) faults.push(`${suite.name} ${id}: a waiver that nothing needs`);
  return {
    name: suite.name,
    about: suite.about,
    source: `${suite.repository}@${commit(suite.repository).slice(0, 10)}`,
    cases: cases.length,
    agreed,
    reasons,
  };
}

const rows = (path) =>
  readFileSync(join(corpus, path), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#')).length - 1;

/** The tables that the Rust tests run; here they are counted. */
function ownSuites() {
  const tables = [
    ['RFC 3986: URIs', 'grammar/uri.tsv'],
    ['RFC 3986: references', 'grammar/reference.tsv'],
    ['RFC 3986: resolution', 'reference/rfc3986.tsv'],
    ['RFC 3986: normal forms', 'reference/normalize.tsv'],
    ['RFC 3987: IRIs', 'grammar/iri.tsv'],
    ['RFC 8141: URNs', 'grammar/urn.tsv'],
    ['RFC 8141: equivalence', 'reference/equivalence.tsv'],
    ['RFC 2141', 'grammar/rfc2141.tsv'],
    ['draft-ietf-urnbis-rfc2141bis-urn-01', 'grammar/rfc2141bis-01.tsv'],
    ['draft-fielding-uri-rfc2396bis-01', 'grammar/rfc2396bis-01.tsv'],
    ['draft-fielding-url-syntax-05', 'grammar/url-syntax-05.tsv'],
    ['Uniform Resource Locators, July 1993', 'grammar/url-1993.tsv'],
    ['references under each of them', 'grammar/relative.tsv'],
    ['what one grammar accepts and the next does not', 'grammar/neighbours.tsv'],
  ];
  return tables.map(([name, path]) => ({ name, path, count: rows(path) }));
}

async function runUts58() {
  const lines = (await uts58()).split('\n').filter((line) => line.trim() && !line.startsWith('#'));
  const links = new Finder({ uts58: true });
  let agreed = 0;
  for (const line of lines) {
    const text = line.replace(/[⸠⸡]/g, '');
    let marked = '';
    let done = 0;
    for (const { start, end } of links.find(text)) {
      marked += `${text.slice(done, start)}⸠${text.slice(start, end)}⸡`;
      done = end;
    }
    if (marked + text.slice(done) === line) agreed++;
    else faults.push(`UTS #58: ${line}`);
  }
  return { cases: lines.length, agreed };
}

/** Our answers beside those of the URL Standard. They are different standards, so this counts and requires nothing. */
function runUrlStandard() {
  const tests = JSON.parse(file('ada-url/ada', 'tests/wpt/urltestdata.json')).filter(
    (each) => typeof each === 'object',
  );
  const attempt = (call) => {
    try {
      return call();
    } catch {
      return undefined;
    }
  };
  const counts = { cases: tests.length, both: 0, same: 0, neither: 0, onlyTheirs: 0, onlyOurs: 0 };
  for (const { input, base, href, failure } of tests) {
    const ours = attempt(() =>
      base === null || base === 'about:blank'
        ? parse(input).scheme && normalize(input)
        : resolve(base, input),
    );
    if (failure) counts[ours ? 'onlyOurs' : 'neither']++;
    else if (!ours) counts.onlyTheirs++;
    else {
      counts.both++;
      if (attempt(() => normalize(ours)) === attempt(() => normalize(href))) counts.same++;
    }
  }
  return counts;
}

/** The tests of package URLs: which are valid, and their canonical form. The command judges them. */
function runPurl() {
  const files = ['tests/spec/specification-test.json', ...list('package-url/purl-spec', 'tests/types')];
  const tests = files
    .flatMap((path) =>
      JSON.parse(file('package-url/purl-spec', path)).tests.map((each, at) => ({
        ...each,
        id: `${basename(path, '-test.json')}:${at}`,
      })),
    )
    .filter(
      ({ test_type, input }) => test_type === 'parse' && typeof input === 'string' && !/[\r\n]/.test(input),
    );
  let printed;
  try {
    printed = execFileSync(command, ['parse', '--json', '-'], {
      input: tests.map(({ input }) => input).join('\n'),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  } catch (error) {
    // Status 1: some are no URIs.
    printed = error.stdout;
  }
  const answers = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const given = waiversOf('purl-spec');
  const reasons = new Map();
  let agreed = 0;
  for (const [at, { id, expected_output: expected, expected_failure: fails }] of tests.entries()) {
    const purl = answers[at]?.purl;
    const isRead = purl !== undefined && purl.fault === undefined;
    const right = fails
      ? !isRead
      : isRead &&
        (expected.type ?? purl.type) === purl.type &&
        ['namespace', 'name', 'version', 'subpath'].every(
          (part) => (expected[part] ?? null) === (purl[part] ?? null),
        ) &&
        JSON.stringify(Object.entries(expected.qualifiers ?? {}).sort()) ===
          JSON.stringify(Object.entries(purl.qualifiers ?? {}).sort());
    if (right) {
      agreed++;
      continue;
    }
    if (given.has(id)) reasons.set(given.get(id), (reasons.get(given.get(id)) ?? 0) + 1);
    else faults.push(`purl-spec ${id}: a difference without a waiver`);
    if (shown === 'purl-spec')
      console.log(
        `${id}\t${given.get(id)?.reason ?? 'NONE'}\n  ${JSON.stringify(tests[at].input)}\n  want ${fails ? 'a fault' : JSON.stringify(expected)}\n  ours ${JSON.stringify(purl)}`,
      );
  }
  return {
    name: 'purl-spec',
    about: 'every test that parses',
    source: `package-url/purl-spec@${commit('package-url/purl-spec').slice(0, 10)}`,
    cases: tests.length,
    agreed,
    reasons,
  };
}

const command =
  process.env.URIGREP ??
  ['release', 'debug'].map((profile) => join(root, 'target', profile, 'urigrep')).find(existsSync);

async function runAll() {
  // Before the suites, which take a while.
  if (!command || !existsSync(command))
    throw new Missing(`no urigrep command; run \`cargo build --release\`, or name it in URIGREP`);
  return {
    uts58: await runUts58(),
    peers: PEERS.map(runPeer),
    purl: runPurl(),
    url: runUrlStandard(),
    own: ownSuites(),
  };
}

const results = await runAll().catch((error) => {
  if (!(error instanceof Missing)) throw error;
  console.error(`conformance: ${error.message}`);
  process.exit(2);
});
for (const { name, cases, agreed } of [...results.peers, results.purl])
  console.log(`${name}: ${agreed} of ${cases}`);
console.log(`UTS #58: ${results.uts58.agreed} of ${results.uts58.cases}`, results.url);
const text = page(results);
const path = join(root, 'docs', 'reference', 'conformance.md');
if (process.argv.includes('--write')) writeFileSync(path, text);
else if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
  faults.push('docs/reference/conformance.md is not what this run gives; write it with --write');
for (const fault of faults.slice(0, 40)) console.error(fault);
if (faults.length > 0) console.error(`${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
