/** One line per wrong variable. */
export type ConfigProblem = { readonly variable: string; readonly message: string };

/** The environment cannot be used; the message lists every problem at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ variable, message }) => `  ${variable}: ${message}`);
    super(`The configuration is not usable. Change these variables and start again:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}
