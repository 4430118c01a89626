// `npm run build [server|dashboard]`: bundles what is named, or everything.
import { requireNode } from './run/node-version.mjs';

requireNode();
const { installIfNeeded } = await import('./run/install.mjs');
await installIfNeeded();
const { targets, writeStamp } = await import('./run/build-stamp.mjs');

const builders = {
  server: async () => (await import('./run/build-server.mjs')).buildServer(),
  dashboard: async () => (await import('./run/build-dashboard.mjs')).buildDashboard(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(targets, name));
if (unknown.length > 0) {
  console.error(`There is no build target "${unknown.join('", "')}"; there is ${Object.keys(targets).join(' and ')}.`);
  process.exit(2);
}

for (const name of wanted.length > 0 ? wanted : Object.keys(targets)) {
  const started = performance.now();
  console.log(`Building the ${name} …`);
  try {
    await builders[name]();
  } catch (error) {
    // The bundlers say what and where; their own stack would only hide it.
    console.error(`The ${name} could not be built:\n${error.message}`);
    process.exit(1);
  }
  writeStamp(name);
  console.log(`Built the ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
