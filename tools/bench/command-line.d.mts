type Command = {
  kind: 'one' | 'all' | 'history';
  names: string[];
  options: { json: boolean; full: boolean; keeps: boolean };
};

export function readCommand(words: readonly string[], benches: Readonly<Record<string, unknown>>): Command | undefined;
