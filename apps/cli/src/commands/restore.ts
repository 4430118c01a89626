import type { Command } from 'commander';
import { inputError } from '../command-error.ts';
import { runServerProgram } from '../tool.ts';

type Options = { keys?: string; withoutKeys?: true; liftFence?: true; until?: string };

export function addRestore(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('restore')
    .description(
      'put a backup or an archive back into an empty data folder or empty stores; nothing acts until the fence is lifted',
    )
    .argument('[folder]', 'the folder of the backup or archive')
    .option('--keys <file>', 'the file with the keys, where they are not in the backup')
    .option('--without-keys', 'leave the keys to be put in place by hand')
    .option(
      '--until <time>',
      'of an archive: the moment to come back to, such as 2026-11-24T09:30:00Z; else the newest',
    )
    .option('--lift-fence', 'let a restored installation act again; recorded in every audit log')
    .action(async (folder: string | undefined, { keys, withoutKeys, liftFence, until }: Options) => {
      if ((folder === undefined) !== (liftFence === true)) {
        throw inputError('USAGE', 'Name the folder of the backup or archive, or --lift-fence alone.');
      }
      const flags = [
        ...(keys === undefined ? [] : [`--keys=${keys}`]),
        ...(withoutKeys ? ['--without-keys'] : []),
        ...(until === undefined ? [] : [`--until=${until}`]),
        ...(liftFence ? ['--lift-fence'] : []),
      ];
      setExitCode(await runServerProgram('restore', [...flags, ...(folder === undefined ? [] : ['--', folder])]));
    });
}
