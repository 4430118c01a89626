import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { inRoot } from './root.mjs';

const COMPRESSIBLE = /\.(js|css|html|svg|json|txt|webmanifest|map)$/;
const SMALLEST_BYTES = 1024;

export async function buildDashboard() {
  process.env.NODE_ENV = 'production';
  const { build, createLogger } = await import('vite');
  const folder = inRoot('apps/dashboard');
  const logLevel = 'warn';
  const customLogger = withoutWordsOfComposes(createLogger(logLevel));
  await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel, customLogger });
  await compressBelow(join(folder, 'dist'));
}

/** Rules that one stylesheet takes from another have no place to Vite, which only files they would refer to need. */
function withoutWordsOfComposes(logger) {
  const { warnOnce } = logger;
  logger.warnOnce = (message, options) => {
    if (!message.includes('did not pass the `from` option')) warnOnce(message, options);
  };
  return logger;
}

/** Compressed once here at the best ratio, so that the server never spends time on it. */
async function compressBelow(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(files.map(compressFile));
}

async function compressFile(path) {
  const plain = await readFile(path);
  if (plain.length < SMALLEST_BYTES) return;
  const brotliOptions = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } };
  const versions = {
    br: await promisify(brotliCompress)(plain, brotliOptions),
    gz: await promisify(gzip)(plain, { level: 9 }),
  };
  for (const [ending, packed] of Object.entries(versions)) {
    if (packed.length < plain.length) await writeFile(`${path}.${ending}`, packed);
  }
}
