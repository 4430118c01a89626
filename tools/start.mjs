// `npm start`: install if needed, build if stale, then become the server. Nothing outside Node is imported before that.
import { requireNode } from './run/node-version.mjs';

requireNode();
const [{ installIfNeeded }, { staleTargets }, { inRoot, root }] = await Promise.all([
  import('./run/install.mjs'),
  import('./run/build-stamp.mjs'),
  import('./run/root.mjs'),
]);
await installIfNeeded();

const stale = staleTargets();
if (stale.length > 0) {
  // In a process of its own, so that the compilers' memory is given back before the server runs.
  const { spawnSync } = await import('node:child_process');
  const { status } = spawnSync(process.execPath, [inRoot('tools', 'build.mjs'), ...stale], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

// The same process goes on as the server: no launcher stays behind, and Ctrl-C reaches the server itself.
process.setSourceMapsEnabled(true);
await import('../apps/server/dist/main.mjs');
