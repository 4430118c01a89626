import { setTimeout as delay } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import { CommandError } from './command-error.ts';
import { addDoctor } from './commands/doctor.ts';
import { addSimulate } from './commands/simulate.ts';
import { addStart } from './commands/start.ts';
import { addToken } from './commands/token.ts';
import type { Surroundings } from './surroundings.ts';

/** Runs one command line and resolves to the exit code: 0 done, 1 the answer is no, 2 the input is wrong. */
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
  addToken(program, surroundings);
  addSimulate(program, surroundings);
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    return report(error, argv.includes('--json'), surroundings);
  }
  return exitCode;
}

function report(error: unknown, json: boolean, { result, say }: Surroundings): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without a command commander has shown the help and has nothing more to say.
    const message = error.code === 'commander.help' ? 'Name a command.' : error.message.replace(/^error: /, '');
    return report(new CommandError('USAGE', message, { exitCode: 2 }), json, { result, say } as Surroundings);
  }
  if (!(error instanceof CommandError)) throw error;
  const { code, message, path, exitCode } = error;
  if (json) result(JSON.stringify({ error: code, message, ...(path === undefined ? {} : { path }) }));
  else say(message);
  return exitCode;
}

function realSurroundings(): Surroundings {
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  return {
    env: process.env,
    fetch: globalThis.fetch,
    now: Date.now,
    wait: (milliseconds, signal) => delay(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined),
    result: (line) => console.log(line),
    say: (line) => console.error(line),
    interrupted: interruption.signal,
  };
}
