// Where the suites come from. Their files are fetched at a fixed commit, and are not part of this repository.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** Commits of the repositories on GitHub. */
const COMMITS = {
  'ada-url/ada': '308110b26b32d12db492d460a41e57932366269d',
  'commonmark/commonmark-spec': '31c0ca2d294ea60ab4438004da410e2e590a46f2',
  'github/cmark-gfm': '85d895289c5ab67f988ca659493a64abb5fec7b4',
  'gregjacobs/Autolinker.js': '20000fb85eb4e83c0196b2dc60e6af41bffed25a',
  'kevva/url-regex': '9f0450b59906264b5f9b789ee873dd8837d7d909',
  'lipoja/URLExtract': '3dec042bc1f53ae3f375b48e2563bd446946687d',
  'markdown-it/linkify-it': '8e887d5bace3f5b09b1d1f70492fa0364ef1793d',
  'mozilla/bleach': '913ab75992b845e2c9c060c41f24d46921db4693',
  'mvdan/xurls': '6fcda1fd6decab4a6bc49ced3b36d666cc57b7cf',
  'nfrasser/linkifyjs': '3abe9abbcb4e069aeadde2f42de7dfcc2371c0f0',
  'package-url/purl-spec': '16f3d0e39343d47d1ac3d559b7e110f25eac1513',
  'robinst/autolink-java': '5827f74c009826eeaf274d7766d9d48931ea6732',
  'robinst/linkify': 'b663d4e71ddf5127059e4e1f4719a924547b0f50',
  'twitter/twitter-text': '30e2430d90cff3b46393ea54caf511441983c260',
  'vmg/rinku': '0e0a80bad9c270d07f4a306f9dd15ec57d28fe70',
};

/** Something that a run needs, and how to get it. */
export class Missing extends Error {}

const cache = process.env.URIGREP_FIXTURES ?? join(here, 'fixtures');

/** Where repositories are; a mirror may take its place. */
const address = (repository) => {
  const [owner, name] = repository.split('/');
  const pattern = process.env.URIGREP_REPOSITORIES ?? 'https://github.com/{owner}/{name}';
  return pattern.replace('{owner}', owner).replace('{name}', name);
};

export const commit = (repository) => COMMITS[repository];

function git(repository, ...args) {
  const folder = join(cache, repository);
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function fetched(repository) {
  const folder = join(cache, repository);
  if (!existsSync(join(folder, '.git'))) {
    mkdirSync(folder, { recursive: true });
    try {
      git(repository, 'init', '--quiet');
    } catch (error) {
      throw new Missing(`git does not run: ${error.message}`);
    }
  }
  try {
    git(repository, 'cat-file', '-e', COMMITS[repository]);
  } catch {
    try {
      git(repository, 'fetch', '--quiet', '--depth=1', address(repository), COMMITS[repository]);
    } catch (error) {
      const reason = error.code === 'ENOENT' ? 'git is not installed' : error.stderr?.trim();
      throw new Missing(
        `${address(repository)} cannot be fetched; URIGREP_REPOSITORIES names a mirror, URIGREP_FIXTURES fetched files\n${reason}`,
      );
    }
  }
}

/** The text of a file of a suite. */
export function file(repository, path) {
  fetched(repository);
  return git(repository, 'show', `${COMMITS[repository]}:${path}`);
}

/** The files of a suite under a folder. */
export function list(repository, folder) {
  fetched(repository);
  return git(repository, 'ls-tree', '-r', '--name-only', COMMITS[repository], folder)
    .split('\n')
    .filter(Boolean);
}

/** LinkDetectionTest.txt of UTS #58, from the folder in URIGREP_UTS58 or from Unicode. */
export async function uts58() {
  const kept = join(process.env.URIGREP_UTS58 ?? cache, 'LinkDetectionTest.txt');
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const address = 'https://www.unicode.org/Public/17.0.0/linkification/LinkDetectionTest.txt';
  const answer = await fetch(address).catch(({ cause }) => ({ status: cause?.message ?? 'no connection' }));
  if (!answer.ok)
    throw new Missing(`${address} cannot be fetched (${answer.status}); URIGREP_UTS58 names its directory`);
  const text = await answer.text();
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, text);
  return text;
}
