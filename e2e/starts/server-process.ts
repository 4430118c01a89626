import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DemoFile } from '../src/airdeck-process.ts';
import { listenTo } from '../src/process-output.ts';

const program = fileURLToPath(new URL('../../apps/server/dist/main.mjs', import.meta.url));

export const freePorts = { PORT: '0', SYSLOG_TCP_PORT: '0', SYSLOG_UDP_PORT: '0', SANDBOX_PORT: '0' };

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

/** One start of the built server, leader of a process group of its own as in a terminal. */
export type ServerProcess = {
  pid: number;
  ended: Promise<Ended>;
  /** What a person sees: everything but the lines of the log. */
  words(): string;
  /** Rejects when the server ends instead. */
  ready(): Promise<DemoFile>;
  /** The same for one without a demo: where it listens. */
  address(): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<Ended>;
  /** As Ctrl-C does: to every process of the group. */
  killGroup(signal: NodeJS.Signals): Promise<Ended>;
};

/** Another copy of the built product, and who runs it. */
export type Copy = { program: string; uid?: number };

export function startServer(
  dataDir: string,
  environment: Record<string, string> = {},
  copy: Copy = { program },
): ServerProcess {
  const child = spawn(process.execPath, [copy.program], {
    ...(copy.uid === undefined ? {} : { uid: copy.uid, gid: copy.uid }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...freePorts, AIRDECK_DATA_DIR: dataDir, ...environment },
  });
  const output = listenTo(child);
  // `close` comes when its last words were read.
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }));
  return {
    pid: pidOf(child),
    ended,
    words: () => withoutLog(output.text()),
    async ready() {
      await output.ready();
      return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
    },
    async address() {
      await output.ready();
      const [, url = ''] = / is ready: (http\S+)/.exec(output.text()) ?? [];
      return url;
    },
    kill(signal) {
      child.kill(signal);
      return ended;
    },
    killGroup(signal) {
      if (isAlive(child)) process.kill(-pidOf(child), signal);
      return ended;
    },
  };
}

/** A server that is expected not to start: what it said and how it ended. */
export async function refusedStart(dataDir: string, environment: Record<string, string> = {}) {
  const server = startServer(dataDir, environment);
  const { code } = await server.ended;
  return { code, words: server.words().trim() };
}

/** Folders for the tests of one file, and their removal. */
export function temporaryFolders() {
  const root = mkdtempSync(join(tmpdir(), 'airdeck-starts-'));
  return {
    folder: (name: string) => join(root, name),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function postgresPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

/** The database's own process and all it has forked, which hold its connections. */
export function postgresPids(dataDir: string): number[] {
  const main = postgresPid(dataDir);
  return [
    main,
    ...processes()
      .filter(({ parent }) => parent === main)
      .map(({ pid }) => pid),
  ];
}

/** The child of the server that holds the events. */
export function eventsPid(server: ServerProcess): number {
  const found = processes().find(({ parent, command }) => parent === server.pid && command.includes('events-process'));
  if (found === undefined) throw new Error('The server has no process for events.');
  return found.pid;
}

export function isRunning(pid: number): boolean {
  return processes().some((one) => one.pid === pid);
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('The server could not be spawned.');
  return child.pid;
}

function withoutLog(output: string): string {
  return output
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');
}

/** Those that have not ended; one that only waits for its parent to notice has. */
function processes(): { pid: number; parent: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}
