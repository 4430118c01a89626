import type { Command } from 'commander';
import { runServerProgram } from '../tool.ts';

export function addMigrate(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('migrate')
    .description('bring the stores up to date, as a start would, without starting; says what was applied')
    .action(async () => {
      setExitCode(await runServerProgram('migrate', []));
    });
}
