import { describe, expect, it } from 'vitest';
import { readCommand } from './command-line.mjs';

const benches = { list: {}, search: {} };
const options = { json: false, full: false, keeps: true };

describe('the words after npm run bench', () => {
  it('name one bench, all of them, or a history', () => {
    expect(readCommand(['list'], benches)).toEqual({ kind: 'one', names: ['list'], options });
    expect(readCommand(['all'], benches)).toEqual({ kind: 'all', names: ['list', 'search'], options });
    expect(readCommand(['history', 'search'], benches)).toEqual({ kind: 'history', names: ['search'], options });
    expect(readCommand(['history'], benches)).toEqual({ kind: 'history', names: ['list', 'search'], options });
  });

  it('take flags in any place', () => {
    const all = { json: true, full: true, keeps: false };
    expect(readCommand(['--json', 'list', '--full', '--no-history'], benches)?.options).toEqual(all);
  });

  it.each([
    [[]],
    [['nothing']],
    [['toString']],
    [['list', 'search']],
    [['all', 'list']],
    [['history', 'nothing']],
    [['list', '--fast']],
  ])('%j ask for nothing there is: no bench runs by mistake', (words) => {
    expect(readCommand(words, benches)).toBeUndefined();
  });
});
