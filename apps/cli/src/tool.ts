import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a TypeScript program of the repository's tools with our input and output; resolves to its exit code. */
export async function runTool(path: string, args: readonly string[]): Promise<number> {
  return await runProgram(['--import', import.meta.resolve('tsx'), toolPath(path), ...args]);
}

/** The same for one of the server's programs, which work with its configuration and stores. */
export async function runServerProgram(name: string, args: readonly string[]): Promise<number> {
  return await runProgram([toolPath('server-program.mjs'), name, ...args]);
}

function toolPath(path: string): string {
  return fileURLToPath(new URL(`../../../tools/${path}`, import.meta.url));
}

async function runProgram(command: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, command, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
