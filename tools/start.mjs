// `npm start`: install if needed, build if stale, then become the server. Nothing outside Node is imported before that.
import { requireNode } from './run/node-version.mjs';

requireNode();
const { installIfNeeded } = await import('./run/install.mjs');
await installIfNeeded();
const { buildIfStale } = await import('./run/build-if-stale.mjs');
if (!buildIfStale(['server', 'dashboard'])) process.exit(1);

// The same process goes on as the server: no launcher stays behind, and Ctrl-C reaches the server itself.
await import('../apps/server/dist/main.mjs');
