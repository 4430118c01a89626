/** 1: the input was fine and the answer is no. 2: the input is wrong. 3: no answer, where "no" says something else. */
export type ExitCode = 1 | 2 | 3;

/** Ends a command. With `--json` a program reads code, message and, for a value inside a file, its path. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly path: string | undefined;

  constructor(code: string, message: string, options: { exitCode?: ExitCode; path?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.exitCode = options.exitCode ?? 1;
    this.path = options.path;
  }
}

/** The caller wrote something that cannot be used. */
export function inputError(code: string, message: string): CommandError {
  return new CommandError(code, message, { exitCode: 2 });
}
