import { resolve } from 'node:path';
import { type Config, readConfig } from '../../apps/server/src/config/config.ts';
import { ConfigError } from '../../apps/server/src/config/config-error.ts';
import { listenersOf, takesSyslog } from '../../apps/server/src/entry/listeners.ts';
import { readJson } from '../checks/source-files.ts';
import { nodeProblem } from '../run/node-version.mjs';
import { checkArchive } from './archive.ts';
import { checkBucket } from './bucket.ts';
import { type Finding, found } from './finding.ts';
import { checkFolder } from './folder.ts';
import { checkKeyFile } from './key-file.ts';
import { checkPorts } from './ports.ts';
import { checkScanner } from './scanner.ts';
import { checkStores } from './stores.ts';
import { checkSyslogTls } from './syslog-tls.ts';
import { checkWork } from './work.ts';

const { version: release } = readJson('package.json') as { version: string };

/** Everything a start with this environment would stumble over, and what is in order. */
export async function examine(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const node = found('node', nodeProblem(process.versions.node), `Node ${process.versions.node}`);
  let config: Config;
  try {
    config = readConfig(env, release);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Without a configuration there is no folder, port or store to look at.
    return [node, ...error.problems.map(({ variable, message }) => found(variable, message, ''))];
  }
  const configuration = found('configuration', undefined, `role ${config.role}, stage ${config.stage}`);
  const folder = await checkFolder(config.dataDir, { holdsEvents: config.stores.eventsUrl === undefined });
  const isRunning = folder.heldBy !== undefined;
  // A server that runs on this folder holds these ports itself.
  const ports = isRunning ? [] : await checkPorts(listenersOf(config));
  const certificate = config.syslogTls && takesSyslog(config) ? checkSyslogTls(config.syslogTls) : [];
  const archive = config.archiveFolder && {
    ...{ folder: resolve(config.archiveFolder), dataDir: resolve(config.dataDir) },
    ...{ isRunning, now: () => new Date() },
  };
  const archived = archive ? [await checkArchive(archive)] : [];
  const scanner = config.malwareScanner ? [await checkScanner(config.malwareScanner)] : [];
  const { databaseUrl } = config.stores;
  const work = databaseUrl === undefined ? [] : await checkWork({ databaseUrl, role: config.role, isRunning });
  return [
    node,
    configuration,
    folder.finding,
    await checkKeyFile({ ...config, databaseUrl }),
    ...archived,
    ...ports,
    ...certificate,
    ...scanner,
    ...(await checkStores(config.stores)),
    ...work,
    ...(config.filesBucket ? [await checkBucket(config.filesBucket)] : []),
  ];
}
