import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Inside the repository, so that what stays outside the bundle is found. */
const folder = fileURLToPath(new URL('../../../../node_modules/.cache/airdeck-test-programs/', import.meta.url));
const bundled = new Map<string, Promise<string>>();

/**
 * Makes one JavaScript file of a program for tests and returns its path. A child that is started again and again would
 * otherwise spend most of its life on loading TypeScript.
 */
export function bundledProgram(entry: URL): Promise<string> {
  const known = bundled.get(entry.href) ?? bundle(entry);
  bundled.set(entry.href, known);
  return known;
}

async function bundle(entry: URL): Promise<string> {
  const path = join(folder, `${basename(entry.pathname, '.ts')}.mjs`);
  // Other processes may run the one that is there.
  const draft = `${path}.${randomUUID()}`;
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile: draft,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['chdb', 'pg-native', 'pino', 'pino-pretty'],
    // CommonJS inside an ECMAScript module needs a `require` of its own.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  await rename(draft, path);
  return path;
}
