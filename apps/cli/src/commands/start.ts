import type { Command } from 'commander';
import { inputError } from '../command-error.ts';

/** Listed here for the help; the launcher starts the product itself, without the loader of the sources. */
export function addStart(program: Command): void {
  program
    .command('start')
    .description('install and build if needed, then start everything (the same as npm start)')
    .allowExcessArguments(true)
    .allowUnknownOption(true)
    .action(() => {
      throw inputError('USAGE', 'start takes no arguments: ports and folders come from the environment.');
    });
}
