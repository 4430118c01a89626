import { pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';
import { inRoot } from '../run/root.mjs';
import { makeDataDir } from './running-server.mjs';

let registered = false;

/** A module of the repository from its TypeScript source. */
export async function importSource(path) {
  if (!registered) register();
  registered = true;
  return await import(pathToFileURL(inRoot(path)).href);
}

/** Runs a bench on an empty PostgreSQL of its own, the one the product brings, with its own settings. */
export async function withEmbeddedPostgres(run) {
  const { startEmbeddedPostgres } = await importSource('apps/server/src/storage/embedded-postgres.ts');
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: console.error, error: console.error };
  const dataDir = makeDataDir();
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path, log });
    try {
      return await run(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    dataDir.remove();
  }
}
