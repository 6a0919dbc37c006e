// Builds the package into dist/: the WebAssembly module by cargo, and the programs around it by esbuild.
//
// usage: node build.js [--skip-wasm]

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compress } from 'lzma1';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const TARGET = 'wasm32-unknown-unknown';

/** The modules by name, each with what its compiler is told. */
const MODULES = { urigrep: [], 'urigrep-lite': ['--cfg', 'urigrep_lite'] };

/** Programs that use the library by its public name, so that a page loads it once. */
const PLUGINS = ['linkify-it', 'remark'];

function run(program, ...args) {
  return execFileSync(program, args, {
    cwd: join(here, 'wasm'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Compiles a module, and returns its path. */
function compile(flags) {
  const library = run('rustc', '--print', 'target-libdir', '--target', TARGET).trim();
  if (!existsSync(library)) run('rustup', 'target', 'add', TARGET);
  const more = ['--config', `target.${TARGET}.rustflags=${JSON.stringify(flags)}`];
  run('cargo', 'build', '--locked', '--quiet', '--release', '--target', TARGET, ...more);
  const { target_directory: folder } = JSON.parse(
    run('cargo', 'metadata', '--locked', '--no-deps', '--format-version=1'),
  );
  return join(folder, TARGET, 'release', 'urigrep_wasm.wasm');
}

const alreadyPacked = new Map();

/** The bytes of a module as text, for `unpack.js`. */
function packed(path) {
  if (!alreadyPacked.has(path))
    alreadyPacked.set(path, Buffer.from(compress(readFileSync(path), 9)).toString('base64'));
  return alreadyPacked.get(path);
}

/** Where a program finds the bytes of the module: in Node in a file, elsewhere in itself. */
function module(source, wasm) {
  return {
    name: 'urigrep',
    setup(builder) {
      builder.onResolve({ filter: /^urigrep:wasm$/ }, () => ({
        path: join(here, 'src', `wasm-${source}.js`),
      }));
      builder.onResolve({ filter: /^urigrep:packed$/ }, () => ({ path: wasm, namespace: 'packed' }));
      builder.onLoad({ filter: /.*/, namespace: 'packed' }, ({ path }) => ({
        contents: `export default '${packed(path)}'`,
      }));
    },
  };
}

async function bundle(name, format, { source = 'embedded', wasm = 'urigrep', external = [], out = name }) {
  const cjs = format === 'cjs';
  await build({
    entryPoints: [join(here, 'src', `${name}.js`)],
    outfile: join(dist, `${out}.${cjs ? 'cjs' : 'mjs'}`),
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    format,
    platform: source === 'node' ? 'node' : 'neutral',
    target: 'es2022',
    external,
    define: {
      WASM_NAME: JSON.stringify(`./${wasm}.wasm`),
      // A CommonJS module knows its place by another name.
      ...(cjs && source === 'node' && { 'import.meta.url': 'moduleUrl' }),
    },
    ...(cjs &&
      source === 'node' && {
        banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename);" },
      }),
    plugins: [module(source, join(dist, `${wasm}.wasm`))],
  });
}

if (!process.argv.includes('--skip-wasm')) {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const [name, flags] of Object.entries(MODULES))
    copyFileSync(compile(flags), join(dist, `${name}.wasm`));
}
for (const format of ['esm', 'cjs']) {
  await bundle('index', format, { source: 'node', out: 'node' });
  await bundle('index', format, {});
  await bundle('lite', format, { source: 'node', wasm: 'urigrep-lite', out: 'lite-node' });
  await bundle('lite', format, { wasm: 'urigrep-lite' });
  for (const plugin of PLUGINS) await bundle(plugin, format, { external: ['urigrep'] });
}
// TypeScript takes types for those of an ES module or of CommonJS by their name, as Node does with programs.
for (const name of ['index', 'lite', ...PLUGINS]) {
  const types = readFileSync(join(here, 'src', `${name}.d.ts`), 'utf8');
  for (const extension of ['mts', 'cts'])
    writeFileSync(
      join(dist, `${name}.d.${extension}`),
      types.replace(/(from '\.\/\w+)\.js'/g, `$1.${extension.replace('ts', 'js')}'`),
    );
}
// A package has its licences with it.
for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT'])
  copyFileSync(join(here, '..', licence), join(here, licence));
