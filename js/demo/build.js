// Builds the demo page into demo/dist: one page that needs no server and asks for nothing, and the rule book beside it.
//
// usage: node demo/build.js   (after node build.js)

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import MarkdownIt from 'markdown-it';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const read = (...path) => readFileSync(join(here, ...path), 'utf8');

const { outputFiles } = await build({
  entryPoints: [join(here, 'page.js')],
  bundle: true,
  minifySyntax: true,
  minifyWhitespace: true,
  format: 'iife',
  target: 'es2022',
  write: false,
  alias: { urigrep: join(here, '..', 'dist', 'index.mjs') },
});
// A script ends at this text wherever it stands.
const script = outputFiles[0].text.replaceAll('</script', '<\\/script');
const style = read('page.css');

/** The name of a script or style that the page allows; everything else, and every request, it refuses. */
const allowed = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = (script) =>
  `default-src 'none'; style-src ${allowed(style)}; script-src ${script ? `${allowed(script)} 'wasm-unsafe-eval'` : "'none'"}; base-uri 'none'; form-action 'none'`;

const page = read('page.html')
  .replace('{{policy}}', () => policy(script))
  .replace('{{style}}', () => style)
  .replace('{{script}}', () => script);

/** Each rule can be linked to by its number. */
function rules() {
  const markdown = new MarkdownIt({ html: false });
  markdown.renderer.rules.heading_open = (tokens, at) => {
    const rule = tokens[at + 1].content.match(/^D\d+(?:\.\d+[a-z]?)?/)?.[0];
    return rule ? `<${tokens[at].tag} id="${rule}">` : `<${tokens[at].tag}>`;
  };
  return markdown.render(read('..', '..', 'docs', 'delimiting.md'));
}

const book = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policy('')}">
<title>The delimiting rules of urigrep</title>
<style>${style}</style>
</head>
<body class="book"><main>${rules()}</main></body>
</html>
`;

mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, 'index.html'), page);
writeFileSync(join(dist, 'rules.html'), book);
