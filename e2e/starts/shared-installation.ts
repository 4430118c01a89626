import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { DemoFile } from '../src/airdeck-process.ts';
import { type Copy, type ServerProcess, startServer, type temporaryFolders } from './server-process.ts';

/** An empty database of another PostgreSQL, to try these tests on it; the embedded one otherwise. */
const database = process.env.AIRDECK_TEST_DATABASE_URL;

const hostProgram = fileURLToPath(new URL('../../apps/server/src/entry/shared-stores-fixture.ts', import.meta.url));

export type Role = 'all' | 'api' | 'worker' | 'ingest';

/** One process of the installation, and where it listens. */
export type Member = { url: string; server: ServerProcess };

export type SharedInstallation = {
  /** People, sources and keys that a single process made before the roles took over. */
  demo: DemoFile;
  /** Address of the database, for what tests look at behind the product's back. */
  databaseUrl: string;
  start(role: Role, name: string, environment?: Record<string, string>, copy?: Copy): Promise<Member>;
  /** What every process is told, to start one that is told something else. */
  environment: Record<string, string>;
  stop(): Promise<void>;
};

/**
 * Stores on loopback and a demo workspace in them, which `maker` made; nothing of the product runs yet. `databaseEnvironment`
 * is for a PostgreSQL that is to be lied to; it is the embedded one then.
 */
export async function startSharedInstallation(
  folders: ReturnType<typeof temporaryFolders>,
  { maker, databaseEnvironment }: { maker?: Copy | undefined; databaseEnvironment?: Record<string, string> } = {},
): Promise<SharedInstallation> {
  const host = await startStores(folders.folder('stores'), databaseEnvironment);
  const running: ServerProcess[] = [];
  const environment = {
    ...host.addresses,
    IDENTITY_SECRET: randomBytes(32).toString('base64url'),
    CONNECTOR_KEYS_FILE: folders.folder('connector-keys.json'),
  };
  const stop = async () => {
    await Promise.all(running.map((server) => server.kill('SIGKILL')));
    host.child.disconnect();
    await once(host.child, 'exit');
  };
  try {
    // One process with everything comes first, as installations grow.
    const first = startServer(folders.folder('first'), { ...environment, MOCK_DATA: 'true' }, maker);
    running.push(first);
    const demo = await first.ready();
    await first.kill('SIGTERM');
    return {
      demo,
      databaseUrl: environment.DATABASE_URL,
      environment,
      stop,
      async start(role, name, more = {}, copy) {
        const variables = { ...environment, MOCK_DATA: 'false', ROLE: role, ...more };
        const server = startServer(folders.folder(name), variables, copy);
        running.push(server);
        return { url: await server.address(), server };
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Addresses = { DATABASE_URL: string; EVENTS_URL: string; FILES_URL: string };

async function startStores(
  folder: string,
  environment: Record<string, string> | undefined,
): Promise<{ child: ChildProcess; addresses: Addresses }> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = fork(hostProgram, [folder, JSON.stringify(environment ? { environment } : { url: database })], {
    execArgv: ['--import', tsx],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [addresses] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The stores did not start.'))),
  ])) as [Addresses];
  return { child, addresses };
}
