import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenTo, type ProcessOutput } from './process-output.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type DemoFile = {
  url: string;
  ports: { http: number; syslog_tcp: number; syslog_udp: number; sandbox: number; metrics?: number };
  tenants: { id: string; name: string }[];
  users: { email: string; password: string; totp_secret: string; role: string; tenant: string; api_key: string }[];
  sources: { id: string; tenant: string; kind: string; token: string }[];
};

/** The product as a user starts it: the built server in a process and a data folder of its own, on free ports. */
export type AirdeckProcess = {
  demo: DemoFile;
  /** `kill -9`, as a power cut would. */
  kill(): Promise<void>;
  /** Starts again on the same folder. */
  restart(): Promise<void>;
  /** Stops and removes everything. */
  close(): Promise<void>;
  output(): string;
};

export async function startAirdeck(environment: Record<string, string> = {}): Promise<AirdeckProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'airdeck-e2e-'));
  let output: ProcessOutput | undefined;
  let child: ChildProcess | undefined;
  let demo: DemoFile | undefined;

  async function start(ports: Record<string, string>): Promise<void> {
    const started = spawn(process.execPath, ['--enable-source-maps', join(root, 'apps/server/dist/main.mjs')], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...ports, AIRDECK_DATA_DIR: dataDir, ...environment },
    });
    child = started;
    output = listenTo(started);
    await output.ready().catch(async (error: unknown) => {
      await end('SIGKILL');
      throw error;
    });
    demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await gone;
  }

  await start({ PORT: '0', SYSLOG_TCP_PORT: '0', SYSLOG_UDP_PORT: '0', SANDBOX_PORT: '0' });
  return {
    get demo() {
      if (!demo) throw new Error('The server has not started.');
      return demo;
    },
    output: () => output?.text() ?? '',
    kill: () => end('SIGKILL'),
    async restart() {
      if (!demo) throw new Error('The server has not started.');
      const { ports } = demo;
      await start({
        PORT: String(ports.http),
        SYSLOG_TCP_PORT: String(ports.syslog_tcp),
        SYSLOG_UDP_PORT: String(ports.syslog_udp),
        SANDBOX_PORT: String(ports.sandbox),
      });
    },
    async close() {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
