import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a TypeScript program of the repository's tools with our input and output; resolves to its exit code. */
export async function runTool(path: string, args: readonly string[]): Promise<number> {
  const program = fileURLToPath(new URL(`../../../tools/${path}`, import.meta.url));
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), program, ...args], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
