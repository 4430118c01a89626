import type { Command } from 'commander';
import { runServerProgram } from '../tool.ts';

type Options = { withKeys?: true; keys?: string };

export function addBackup(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('backup')
    .description('write a backup of stores and files into a new folder, while the server runs or stands still')
    .argument('<folder>', 'a new or empty folder')
    .option('--with-keys', 'put the keys that open its secrets into the backup as well')
    .option('--keys <file>', 'write the keys into a file of their own')
    .action(async (folder: string, { withKeys, keys }: Options) => {
      const flags = [...(withKeys ? ['--with-keys'] : []), ...(keys === undefined ? [] : [`--keys=${keys}`])];
      setExitCode(await runServerProgram('backup', [...flags, '--', folder]));
    });
}
