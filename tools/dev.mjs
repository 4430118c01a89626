// `npm run dev`: the server from its sources, restarted on change, and Vite's development server in front of it.
import { spawn } from 'node:child_process';
import { installIfNeeded } from './run/install.mjs';
import { requireNode } from './run/node-version.mjs';
import { inRoot, root } from './run/root.mjs';

requireNode();
await installIfNeeded();

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
