/**
 * Adds to package-lock.json the packages of other platforms that the registry in use did not have when the lockfile was
 * written. npm then leaves them out without a word, and `npm ci` refuses the lockfile on every machine. An entry without
 * a checksum is installed from the registry of the machine that needs it; here it is only skipped.
 *
 * Run it after every `npm install` that changed the lockfile: `node tools/complete-lockfile.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from './run/root.mjs';

const systems = ['android', 'darwin', 'freebsd', 'netbsd', 'openbsd', 'linux', 'win32', 'openharmony', 'sunos', 'aix'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'riscv64', 's390x', 'ppc64', 'loong64', 'mips64el', 'wasm32'];

const path = inRoot('package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
const missing = Object.entries(lock.packages).flatMap(([owner, { optionalDependencies = {}, dev }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !isLocked(owner, name))
    .map(([name, version]) => ({ name, version, dev })),
);
for (const { name, version, dev } of missing) {
  lock.packages[`node_modules/${name}`] = {
    version,
    ...restriction('cpu', processors, name),
    ...(dev ? { dev } : {}),
    ...(/-(musl|gnu)/.test(name) ? { libc: [name.includes('-musl') ? 'musl' : 'glibc'] } : {}),
    optional: true,
    ...restriction('os', systems, name),
  };
}
const [root, ...rest] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => a.localeCompare(b, 'en'))]);
if (missing.length > 0) writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} packages of other platforms added to package-lock.json`);

/** From the owner's own folder outwards, as Node looks for packages. */
function isLocked(owner, name) {
  return [`${owner}/node_modules/${name}`, `node_modules/${name}`].some((place) => Object.hasOwn(lock.packages, place));
}

function restriction(key, values, name) {
  const value = values.find((one) => new RegExp(`[-_.@/]${one}`).test(name));
  return value === undefined ? {} : { [key]: [value] };
}
