import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inRoot, root } from '../run/root.mjs';

const READY_WITHIN_MS = 120_000;
const POLL_MS = 20;

export function makeDataDir() {
  const path = mkdtempSync(join(tmpdir(), 'airdeck-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** What `npm start` runs, on a data folder and ports of its own; resolves when it says it is ready. */
export async function startServer(dataDir, environment = {}) {
  const port = await freePort();
  const started = performance.now();
  const env = {
    ...process.env,
    AIRDECK_DATA_DIR: dataDir,
    PORT: String(port),
    ...{ SYSLOG_TCP_PORT: '0', SYSLOG_UDP_PORT: '0', SANDBOX_PORT: '0' },
    ...environment,
  };
  const child = spawn(process.execPath, [...optionsOfStart(), inRoot('tools/start.mjs')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-20_000);
    });
  }
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The server ended while starting:\n${output}`);
    if (performance.now() - started > READY_WITHIN_MS) {
      child.kill('SIGKILL');
      throw new Error(`The server was not ready within ${READY_WITHIN_MS / 1000} s:\n${output}`);
    }
    await wait(POLL_MS);
  }
  return {
    url,
    pid: child.pid,
    readyAfterS: (performance.now() - started) / 1000,
    demo: () => JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')),
    output: () => output,
    /** Resolves to the seconds it took; throws when the stop was not clean. */
    async stop() {
      const stopping = performance.now();
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const [code, signal] = child.exitCode === null ? await gone : [child.exitCode];
      if (code !== 0) throw new Error(`The server stopped with ${signal ?? code}:\n${output}`);
      return (performance.now() - stopping) / 1000;
    },
  };
}

async function isReady(url) {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    return false;
  }
}

/** What `npm start` tells Node.js about itself. */
export function optionsOfStart() {
  const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
