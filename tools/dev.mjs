// `npm run dev`: the server from its sources, restarted on change, and Vite's development server in front of it.
import { spawn } from 'node:child_process';
import { buildIfStale } from './run/build-if-stale.mjs';
import { installIfNeeded } from './run/install.mjs';
import { requireNode } from './run/node-version.mjs';
import { inRoot, root } from './run/root.mjs';

requireNode();
await installIfNeeded();
// The server's threads and the events process run as built; a change in one of those needs a new `npm run dev`.
if (!buildIfStale(['server'])) process.exit(1);

const commands = [
  [inRoot('node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'apps/server/src/entry/main.ts'],
  [inRoot('node_modules/vite/bin/vite.js'), 'apps/dashboard', '--config', 'apps/dashboard/vite.config.ts'],
];
const children = commands.map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }));

// Ctrl-C reaches the children by itself; this process only waits until they are gone.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => stopAll('SIGTERM'));
for (const child of children) {
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 0;
    stopAll('SIGTERM');
  });
}

function stopAll(signal) {
  for (const child of children) if (child.exitCode === null) child.kill(signal);
}
