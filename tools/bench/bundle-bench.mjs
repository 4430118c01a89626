import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inRoot } from '../run/root.mjs';
import { metricOf } from './metrics.mjs';

const dist = (file) => inRoot('apps/dashboard/dist', file);

/** Route files whose code a first visit to the address loads, by their path below the routes folder. */
const visits = {
  login: /\/routes\/(_auth\/|_auth\.)?(_auth|login)(\/index|\/route)?\.tsx/,
  home: /\/routes\/(_dashboard\/|_dashboard\.)?(_dashboard|home)(\/index|\/route)?\.tsx/,
};

/** Gzip JavaScript of a first visit: the entry, what it imports, and the chunks of the routes on the way. */
export function runBundleBench() {
  const manifest = JSON.parse(readFileSync(dist('.vite/manifest.json'), 'utf8'));
  const entries = Object.keys(manifest).filter((key) => manifest[key].isEntry);
  const ofVisit = (pattern) =>
    scriptsOf(manifest, [...entries, ...Object.keys(manifest).filter((key) => pattern.test(key))]);
  const result = {};
  for (const [name, pattern] of Object.entries(visits)) {
    const scripts = ofVisit(pattern);
    for (const script of scripts)
      console.error(`    ${name} ${kilobytes(script).toFixed(1).padStart(7)} kB  ${script}`);
    for (const key of loadedLater(manifest, scripts)) console.error(`    ${name}   later     ${key}`);
    result[`${name}_js_gzip`] = metricOf([total(scripts)], 'kB');
  }
  const largest = Object.keys(manifest)
    .filter((key) => key.includes('/routes/'))
    .map((key) => kilobytes(manifest[key].file));
  return { ...result, largest_route_chunk_gzip: metricOf([Math.max(0, ...largest)], 'kB') };
}

/** Files of the given chunks and of everything they import statically, each once. */
function scriptsOf(manifest, keys) {
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const imported of manifest[key].imports ?? []) visit(imported);
  };
  for (const key of keys) visit(key);
  return [...new Set([...seen].map((key) => manifest[key].file))].filter((file) => file.endsWith('.js'));
}

/** What the scripts of a visit can ask for afterwards, other screens aside: not counted, but shown. */
function loadedLater(manifest, scripts) {
  const chunks = Object.values(manifest).filter(({ file }) => scripts.includes(file));
  return new Set(chunks.flatMap((chunk) => chunk.dynamicImports ?? []).filter((key) => !key.includes('/routes/')));
}

function total(files) {
  return files.reduce((sum, file) => sum + kilobytes(file), 0);
}

function kilobytes(file) {
  return gzipSync(readFileSync(dist(file)), { level: 9 }).length / 1000;
}
