const flags = ['--json', '--full', '--no-history'];

/**
 * What the words after `npm run bench --` ask for: `one`, `all` or `history` (of every bench where none is named), or
 * undefined where they ask for nothing there is.
 */
export function readCommand(words, benches) {
  const options = {
    json: words.includes('--json'),
    full: words.includes('--full'),
    keeps: !words.includes('--no-history'),
  };
  const [name, ...more] = words.filter((word) => !flags.includes(word));
  const isBench = (word) => Object.hasOwn(benches, word);
  if (name === undefined) return undefined;
  if (name === 'history' && more.length <= 1 && more.every(isBench)) {
    return { kind: 'history', names: more.length === 1 ? more : Object.keys(benches), options };
  }
  if (more.length > 0) return undefined;
  if (name === 'all') return { kind: 'all', names: Object.keys(benches), options };
  return isBench(name) ? { kind: 'one', names: [name], options } : undefined;
}
