import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** What people start: it runs the command from its sources. */
export const launcher = join(root, 'apps/cli/bin/airdeck.mjs');

export type Ended = {
  code: number;
  /** Lines of stdout: results. */
  results: string[];
  /** Lines of stderr: words for people. */
  words: string[];
};

/**
 * The `airdeck` command in processes of its own, which have nothing of our environment and run in a folder of their own: a
 * workspace somebody has in the repository is not to be taken for the one of a test. As one file it starts in a quarter of the
 * time its sources take.
 */
export async function createAirdeck() {
  const folder = await mkdtemp(join(tmpdir(), 'airdeck-command-'));
  const program = join(folder, 'airdeck.mjs');
  const require = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  const bundling = [
    ...[join(root, 'apps/cli/src/main.ts'), `--outfile=${program}`, `--banner:js=${require}`],
    ...['--bundle', '--platform=node', '--format=esm', '--log-level=error'],
  ];
  await succeeds(join(root, 'node_modules/esbuild/bin/esbuild'), bundling);
  await appendFile(program, 'process.exitCode = await runCommand(process.argv.slice(2));\n');

  return {
    folder,
    run(args: readonly string[], env: Readonly<Record<string, string>>, started = program): Promise<Ended> {
      const { PATH = '' } = process.env;
      const options = { cwd: folder, env: { PATH, ...env }, maxBuffer: 100_000_000 };
      return new Promise((resolve, reject) => {
        execFile(process.execPath, [started, ...args], options, (error, out, err) => {
          const code = error === null ? 0 : error.code;
          if (typeof code === 'number') resolve({ code, results: linesOf(out), words: linesOf(err) });
          else reject(error);
        });
      });
    },
    /** Files by their paths in the folder the command runs in. */
    async write(files: Readonly<Record<string, string>>): Promise<void> {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export type Airdeck = Awaited<ReturnType<typeof createAirdeck>>;

/** Lines of JSON, as `--json` writes them. */
export function jsonOf(lines: readonly string[]): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function succeeds(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, args, (error) => (error === null ? resolve() : reject(error)));
  });
}
