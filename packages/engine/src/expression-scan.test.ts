import { describe, expect, it } from 'vitest';
import { expressionsIn, referencesIn } from './expression-scan.ts';

const texts = (value: unknown) => expressionsIn(value, 'x').map(({ text }) => text);

describe('templates', () => {
  it('are found at any depth, with the path of their string', () => {
    expect(expressionsIn({ a: ['{{ one }} and {{ two }}', { b: '{{ three }}' }], c: 'plain' }, 'input')).toEqual([
      { path: 'input.a[0]', text: 'one' },
      { path: 'input.a[0]', text: 'two' },
      { path: 'input.a[1].b', text: 'three' },
    ]);
  });

  it('are not ended by braces inside a literal', () => {
    expect(texts(`{{ 'a }} b' + "\\" }}" }}`)).toEqual([`'a }} b' + "\\" }}"`]);
  });

  it('ignore what is never closed', () => {
    expect(texts('{{ open')).toEqual([]);
  });
});

describe('references', () => {
  it('are found in both forms', () => {
    expect(referencesIn(`actions.a.output == inputs['b c'] && actions["d"].status == 'x'`)).toEqual([
      { root: 'actions', name: 'a' },
      { root: 'inputs', name: 'b c' },
      { root: 'actions', name: 'd' },
    ]);
  });

  it('are not seen in literals or in fields of the same name', () => {
    expect(referencesIn(`'actions.a' == trigger.inputs.x && "inputs.y" != ''`)).toEqual([]);
  });
});
