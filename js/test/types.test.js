import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

test('types', () => {
  execFileSync(path('../node_modules/.bin/tsc'), ['--project', path('types')], { stdio: 'inherit' });
});
