import type { Command } from 'commander';
import { inputError } from '../command-error.ts';
import { runServerProgram } from '../tool.ts';

type Options = { keys?: string; withoutKeys?: true; liftFence?: true };

export function addRestore(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('restore')
    .description('put a backup back into an empty data folder or empty stores; nothing acts until the fence is lifted')
    .argument('[folder]', 'the folder of the backup')
    .option('--keys <file>', 'the file with the keys, where they are not in the backup')
    .option('--without-keys', 'leave the keys to be put in place by hand')
    .option('--lift-fence', 'let a restored installation act again; recorded in every audit log')
    .action(async (folder: string | undefined, { keys, withoutKeys, liftFence }: Options) => {
      if ((folder === undefined) !== (liftFence === true)) {
        throw inputError('USAGE', 'Name the folder of the backup, or --lift-fence alone.');
      }
      const flags = [
        ...(keys === undefined ? [] : [`--keys=${keys}`]),
        ...(withoutKeys ? ['--without-keys'] : []),
        ...(liftFence ? ['--lift-fence'] : []),
      ];
      setExitCode(await runServerProgram('restore', [...flags, ...(folder === undefined ? [] : ['--', folder])]));
    });
}
