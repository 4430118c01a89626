// `node tools/runtime-tree.mjs <folder>`: what the built product needs to run on stores of others, and nothing else. The image
// and packages of it are made of this.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot, root } from './run/root.mjs';

/** Stay outside the bundle and are needed everywhere: the log, and the fonts of PDF files. The embedded stores are not. */
const modules = ['pino', '@fontsource/inter'];

const [target, ...more] = process.argv.slice(2);
if (target === undefined || more.length > 0) {
  console.error('Usage: node tools/runtime-tree.mjs <folder>');
  process.exit(2);
}
if (existsSync(target)) {
  console.error(`${target} is there already.`);
  process.exit(1);
}
const built = ['apps/server/dist', 'apps/dashboard/dist'];
const missing = built.find((path) => !existsSync(inRoot(path)));
if (missing !== undefined) {
  console.error(`${missing} is not there: run \`npm run build\` first.`);
  process.exit(1);
}
mkdirSync(target, { recursive: true });
const isWanted = (path) => !path.endsWith('.stamp.json') && !path.includes('events-process');
/** Of the fonts, those for documents: their styles for browsers are in the dashboard's build. */
const isOfPackage = (path) => !/@fontsource\/inter\/(?:.*\.(?:css|scss|woff2)|scss)$/.test(path);
for (const path of built) cpSync(inRoot(path), join(target, path), { recursive: true, filter: isWanted });
for (const path of ['package.json', 'LICENSE', ...packagesOf(modules)]) {
  cpSync(inRoot(path), join(target, path), { recursive: true, filter: isOfPackage });
}

/** Folders of the packages and of all they depend on, as they are installed here. */
function packagesOf(names, from = '') {
  return [
    ...new Set(
      names.flatMap((name) => {
        const folder = installed(name, from);
        const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
        return [folder, ...packagesOf(Object.keys(dependencies), folder)];
      }),
    ),
  ];
}

/** Beside the package that asks, or above it. */
function installed(name, from) {
  const nested = join(from, 'node_modules', name);
  return from !== '' && existsSync(inRoot(nested)) ? nested : join('node_modules', name);
}
