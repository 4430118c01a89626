import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a TypeScript program of the repository's tools with our input and output; resolves to its exit code. */
export async function runTool(path: string, args: readonly string[]): Promise<number> {
  return await runProgram(new URL(`../../../tools/${path}`, import.meta.url), args);
}

/** The same for one of the server, which works with its configuration and stores. */
export async function runServerProgram(name: string, args: readonly string[]): Promise<number> {
  return await runProgram(new URL(`../../server/src/entry/${name}.ts`, import.meta.url), args);
}

async function runProgram(program: URL, args: readonly string[]): Promise<number> {
  const loader = import.meta.resolve('tsx');
  const child = spawn(process.execPath, ['--import', loader, fileURLToPath(program), ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
