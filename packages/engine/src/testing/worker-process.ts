/** A worker in a process of its own, for tests that kill it, pause it, or watch it end itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bundledProgram } from './bundled-program.ts';

export interface WorkerProcess {
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** What ended it; null while it lives. A number for an end of its own, else the signal. */
  how(): number | NodeJS.Signals | null;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Writes a line to its standard input; a paused process reads it when it goes on. */
  tell(line: string): void;
  /** Resolves when it has written this line; rejects when it ends without. */
  said(line: string): Promise<void>;
}

/** Starts the script and resolves when it says `working`; rejects when it ends before. */
export async function startWorker(script: URL, environment: Record<string, string>): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [await bundledProgram(script)], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = linesOf(child);
  const gone = once(child, 'exit').then(() => undefined);
  // Tests that kill it may still write to it.
  child.stdin?.on('error', () => undefined);
  const worker: WorkerProcess = {
    ended: gone,
    how: () => child.exitCode ?? child.signalCode,
    signal: (signal) => void child.kill(signal),
    kill() {
      child.kill('SIGKILL');
      return gone;
    },
    tell: (line) => void child.stdin?.write(`${line}\n`),
    said: lines.said,
  };
  await worker.said('working');
  return worker;
}

function linesOf(child: ChildProcess): { said(line: string): Promise<void> } {
  const seen = new Set<string>();
  const waiting = new Map<string, () => void>();
  let over = false;
  const refused = new Set<(error: Error) => void>();
  if (child.stdout) {
    const reader = createInterface({ input: child.stdout });
    reader.on('line', (line) => {
      seen.add(line);
      waiting.get(line)?.();
    });
    reader.on('close', () => {
      over = true;
      for (const reject of refused) reject(new Error('The worker ended before it said so.'));
    });
  }
  return {
    said: (line) =>
      new Promise((resolve, reject) => {
        if (seen.has(line)) resolve();
        else if (over) reject(new Error(`The worker ended before it said "${line}".`));
        waiting.set(line, resolve);
        refused.add(reject);
      }),
  };
}
