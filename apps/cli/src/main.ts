import { setTimeout as delay } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import { CommandError, inputError } from './command-error.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addDoctor } from './commands/doctor.ts';
import { addImport } from './commands/import.ts';
import { addMigrate } from './commands/migrate.ts';
import { addParse } from './commands/parse.ts';
import { addPolicy } from './commands/policy.ts';
import { addQuery } from './commands/query.ts';
import { addRestore } from './commands/restore.ts';
import { addSimulate } from './commands/simulate.ts';
import { addStart } from './commands/start.ts';
import { addToken } from './commands/token.ts';
import type { Surroundings } from './surroundings.ts';
import { terminalText } from './terminal-text.ts';

/** Runs one command line and resolves to the exit code: 0 done, or that of `ExitCode`. */
export async function runCommand(
  argv: readonly string[],
  surroundings: Surroundings = realSurroundings(),
): Promise<number> {
  let exitCode = 0;
  const program = new Command('airdeck')
    .description('Operate AIRdeck from the command line')
    .configureOutput({ writeOut: (text) => surroundings.result(text.trimEnd()), writeErr: () => undefined })
    .exitOverride();
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  addStart(program);
  addDoctor(program, setExitCode);
  addMigrate(program, setExitCode);
  addBackup(program, setExitCode);
  addRestore(program, setExitCode);
  addToken(program, surroundings);
  addSimulate(program, surroundings);
  addParse(program, surroundings);
  addPolicy(program, surroundings);
  addImport(program, surroundings, setExitCode);
  addQuery(program, surroundings);
  addAudit(program, surroundings, setExitCode);
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    return report(explain(error, commandsAfter(program, argv)), argv.includes('--json'), surroundings);
  }
  return exitCode;
}

/** What may come next: a command, or one of those that belong to the first word. */
function commandsAfter(program: Command, [first]: readonly string[]): string {
  const named = program.commands.find((command) => command.name() === first && command.commands.length > 0);
  const names = (named ?? program).commands.map((command) => command.name()).join(', ');
  return `Name a command${named === undefined ? '' : ` of ${named.name()}`}: ${names}.`;
}

/** What the command line parser found wrong, in our own form; undefined when it only showed the help it was asked for. */
function explain(error: unknown, nameOne: string): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.exitCode === 0) return undefined;
  const wrong = error.code === 'commander.help' ? nameOne : error.message.replace(/^error: /, '');
  return inputError('USAGE', wrong);
}

function report(error: unknown, json: boolean, { result, say }: Surroundings): number {
  if (error === undefined) return 0;
  if (!(error instanceof CommandError)) throw error;
  const { code, message, path, exitCode } = error;
  if (json) result(JSON.stringify({ error: code, message, ...(path === undefined ? {} : { path }) }));
  else say(message);
  return exitCode;
}

function realSurroundings(): Surroundings {
  return {
    env: process.env,
    fetch: globalThis.fetch,
    now: Date.now,
    wait: (milliseconds, signal) => delay(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined),
    result: (line) => console.log(terminalText(line)),
    say: (line) => console.error(terminalText(line)),
    // Only for who asks: a command that does not end by it would have to be interrupted twice.
    get interrupted() {
      const interruption = new AbortController();
      process.once('SIGINT', () => interruption.abort());
      return interruption.signal;
    },
  };
}
