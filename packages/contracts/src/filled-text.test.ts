import { expect, it } from 'vitest';
import { filledText, type ToldPart } from './filled-text.ts';

it.each<[string, readonly ToldPart[], string]>([
  ['words alone', [{ message: 'two policies' }, { message: 'one playbook' }], 'two policies, one playbook'],
  ['words about a place', [{ path: 'ip', message: 'is missing' }, { message: 'late' }], 'ip: is missing, late'],
  ['words about the whole', [{ path: '', message: 'is missing' }], 'is missing'],
  [
    'sentences',
    [
      { path: 'ip', message: 'Fill this in.' },
      { path: 'port', message: 'Fill this in.' },
    ],
    'ip: Fill this in. port: Fill this in.',
  ],
  ['nothing', [], ''],
])('lists %s', (_what, listed, text) => {
  expect(filledText('{listed}', { listed })).toBe(text);
});
