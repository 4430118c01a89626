import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
export function addSimulate(program: Command, _: Surroundings): void {
  program
    .command('simulate')
    .description('x')
    .action(() => undefined);
}
