import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a TypeScript program of the repository's tools with our input and output; resolves to its exit code. */
export async function runTool(path: string, args: readonly string[]): Promise<number> {
  const program = fileURLToPath(new URL(`../../../tools/${path}`, import.meta.url));
  return await runProgram(['--import', import.meta.resolve('tsx'), program, ...args]);
}

/** Runs one of the server's programs, which work with its configuration and stores, built anew when it is stale. */
export async function runServerProgram(name: string, args: readonly string[]): Promise<number> {
  const { buildIfStale } = await import('../../../tools/run/build-if-stale.mjs');
  if (!buildIfStale(['server'], process.stderr)) return 1;
  return await runProgram([fileURLToPath(new URL(`../../server/dist/${name}.mjs`, import.meta.url)), ...args]);
}

async function runProgram(command: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, command, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
