import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { guards } from './guards.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guard = guards.find(({ name }) => name === process.env.AIRDECK_WITHOUT_GUARD);
if (guard === undefined) throw new Error('AIRDECK_WITHOUT_GUARD names no guard.');

// The tests of one guard, on sources that lack its line. The files stay as they are.
export default defineConfig({
  root,
  plugins: [
    {
      name: 'without-guard',
      enforce: 'pre',
      transform(code, id) {
        if (id.split('?')[0] !== `${root}${guard.file}`) return undefined;
        const source = readFileSync(`${root}${guard.file}`, 'utf8');
        if (code !== source) throw new Error(`${guard.file} is not read as it is.`);
        return code.replace(guard.line, () => guard.without);
      },
    },
  ],
  test: {
    include: [...guard.tests],
    environment: 'node',
    globalSetup: './tools/test-stores.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    bail: 1,
  },
});
