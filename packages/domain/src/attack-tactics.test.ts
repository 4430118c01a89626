import { expect, test } from 'vitest';
import { byTactic, techniqueName } from './attack-tactics.ts';

test('techniques stand under their tactic in the order of an attack; unknown ones last, none is lost', () => {
  const named = ['T1486', 'T9999', 'T1059.001', 'T1110', 'T1059'].map((technique) => ({ technique }));
  expect(
    byTactic(named).map(({ tactic, techniques }) => [tactic, techniques.map(({ technique }) => technique)]),
  ).toEqual([
    ['Execution', ['T1059', 'T1059.001']],
    ['Credential access', ['T1110']],
    ['Impact', ['T1486']],
    ['Other', ['T9999']],
  ]);
});

test('a part of a technique has the name of the whole', () => {
  expect(techniqueName('T1059.001')).toBe('Command interpreter');
  expect(techniqueName('T9999')).toBe('');
});
