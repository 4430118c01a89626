import { describe, expect, it } from 'vitest';
import { parseKeyValues } from './key-value.ts';

describe('pairs of a line', () => {
  it.each<[string, Record<string, string>]>([
    ['a=1 b="two words" c=', { a: '1', b: 'two words', c: '' }],
    ['words a=1 more b=2', { a: '1', b: '2' }],
    ['user="CORP\\jdoe" n=1', { user: 'CORP\\jdoe', n: '1' }],
    ['path="C:\\Windows\\System32\\cmd.exe"', { path: 'C:\\Windows\\System32\\cmd.exe' }],
    ['user="CORP\\\\jdoe" msg="a \\"quoted\\" word"', { user: 'CORP\\jdoe', msg: 'a "quoted" word' }],
    ['a="never closed \\" b=1', { a: 'never closed " b=1' }],
    ['a="ends with \\', { a: 'ends with \\' }],
    ['user=ana, src=10.0.0.1, dst=10.0.0.2', { user: 'ana', src: '10.0.0.1', dst: '10.0.0.2' }],
    ['user=ana; src=10.0.0.1;  dst=10.0.0.2;', { user: 'ana', src: '10.0.0.1', dst: '10.0.0.2;' }],
    ['user="ana", src=10.0.0.1', { user: 'ana', src: '10.0.0.1' }],
    ['greeting=Hello, world a=1', { greeting: 'Hello,', a: '1' }],
    ['greeting=Hello, =1 a=2', { greeting: 'Hello,', a: '2' }],
    ["name='Ana Maria' user='x'", { name: 'Ana Maria', user: 'x' }],
    ["msg='it wasn't ana' user='', path='C:\\x'; n=1", { msg: "it wasn't ana", user: '', path: 'C:\\x', n: '1' }],
    ["said='tis n=1", { said: "'tis", n: '1' }],
    ["name='x'y n=1", { name: "'x'y", n: '1' }],
    ["name=' n=1", { name: "'", n: '1' }],
  ])('%s', (line, pairs) => {
    expect({ ...parseKeyValues(line) }).toEqual(pairs);
  });

  it.each(["a='", "a='b'c ", 'a=, ', 'a=;', "a=',", 'a="\\', '\\"', "'", '=', 'a=1,', ' ,', 'a="", '])(
    'are read in linear time: %s',
    (piece) => {
      parseKeyValues(`x=1 ${piece.repeat(1_000_000)}`);
      parseKeyValues(`x=${piece.repeat(1_000_000)}`);
    },
    20_000,
  );
});
