/** Everything a command touches outside its own code; a test gives its own. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  /** Resolves after this many milliseconds, or at once when the signal fires. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Results, for programs and pipes. */
  readonly result: (line: string) => void;
  /** Words, for people. */
  readonly say: (line: string) => void;
  /** Fires on Ctrl-C. */
  readonly interrupted: AbortSignal;
};
