/**
 * Work in a process of its own: beside a load in one process it would wait for that, and take it for the server's time. Options
 * and result go as one line of JSON each.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Runs a program of this folder that calls `answerOptions`. Throws when it ends without a result. */
export async function inOwnProcess<Result>(program: URL, options: object): Promise<Result> {
  const child = spawn(process.execPath, ['--import', 'tsx', program.pathname], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${JSON.stringify(options)}\n`);
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Result;
  throw new Error(`${program.pathname} ended without a result.`);
}

/** The other side. */
export async function answerOptions<Options>(work: (options: Options) => Promise<object>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const result = `${JSON.stringify(await work(JSON.parse(line) as Options))}\n`;
    await new Promise((resolve) => process.stdout.write(result, resolve));
    process.exit();
  }
}
