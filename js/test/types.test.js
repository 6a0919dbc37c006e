import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

for (const module of ['node16', 'node18', 'nodenext', 'preserve', 'commonjs', 'esnext']) {
  test(`types with --module ${module}`, () => {
    const resolution = module === 'esnext' ? ['--moduleResolution', 'bundler'] : [];
    execFileSync(
      path('../node_modules/.bin/tsc'),
      ['--project', path('types'), '--module', module, ...resolution],
      { stdio: 'inherit' },
    );
  });
}
