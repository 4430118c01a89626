/**
 * What `airdeck doctor` runs: every reason why a start on this machine, with this environment, would fail, all at once.
 * It lives with the tools because it looks into the server's own configuration and stores, which apps do not import from
 * each other. Exit code 0 when nothing is wrong, 1 otherwise.
 */
import { resolve } from 'node:path';
import { readConfig } from '../../apps/server/src/config/config.ts';
import { ConfigError } from '../../apps/server/src/config/config-error.ts';
import { readJson } from '../checks/source-files.ts';
import { nodeProblem } from '../run/node-version.mjs';
import { checkArchive } from './archive.ts';
import { type Finding, found } from './finding.ts';
import { checkFolder } from './folder.ts';
import { checkPorts } from './ports.ts';
import { checkScanner } from './scanner.ts';
import { checkStores } from './stores.ts';

const { version: release } = readJson('package.json') as { version: string };

async function examine(): Promise<Finding[]> {
  const node = found('node', nodeProblem(process.versions.node), `Node ${process.versions.node}`);
  let config: ReturnType<typeof readConfig>;
  try {
    config = readConfig(process.env, release);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Without a configuration there is no folder, port or store to look at.
    return [node, ...error.problems.map(({ variable, message }) => found(variable, message, ''))];
  }
  const configuration = found('configuration', undefined, `role ${config.role}, stage ${config.stage}`);
  const folder = await checkFolder(config.dataDir);
  // A server that runs on this folder holds these ports itself.
  const ports = folder.heldBy === undefined ? await checkPorts(config.http, config.ports) : [];
  const archive = config.archiveFolder && {
    ...{ folder: resolve(config.archiveFolder), dataDir: resolve(config.dataDir) },
    ...{ isRunning: folder.heldBy !== undefined, now: () => new Date() },
  };
  const archived = archive ? [await checkArchive(archive)] : [];
  const scanner = config.malwareScanner ? [await checkScanner(config.malwareScanner)] : [];
  return [
    node,
    configuration,
    folder.finding,
    ...archived,
    ...ports,
    ...scanner,
    ...(await checkStores(config.stores)),
  ];
}

const findings = await examine();
const ok = findings.every((finding) => finding.ok);
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ ok, checks: findings }));
} else {
  for (const finding of findings) {
    console.log(`${finding.ok ? 'ok     ' : 'PROBLEM'}  ${finding.name.padEnd(18)} ${finding.message}`);
  }
  const problems = findings.filter((finding) => !finding.ok).length;
  console.error(ok ? 'Nothing is wrong.' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found.`);
}
process.exitCode = ok ? 0 : 1;
