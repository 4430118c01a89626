import { expect, it } from 'vitest';
import { addTexts } from '../language/translate.ts';
import { personName } from './person-name.ts';

const me = { uname: 'ana.souza@example.com', fullname: 'Ana Maria Souza' };

it.each([
  ['system', 'Automation'],
  ['ana.souza@example.com', 'Ana Maria Souza'],
  ['tom.okafor@example.com', 'Tom Okafor'],
  ['ops@example.com', 'Ops'],
  ['..@example.com', '..@example.com'],
  ['Demo workspace', 'Demo workspace'],
])('%s is spoken of as %s', (username, name) => {
  expect(personName(username, me)).toBe(name);
});

it('says in the language of the page that nobody did it by hand, by whichever name the server keeps that', () => {
  addTexts('pt-BR', { Automation: 'Automação' });
  expect(['system', 'Automation'].map((username) => personName(username, me))).toEqual(['Automação', 'Automação']);
});
