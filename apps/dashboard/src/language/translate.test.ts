import { afterEach, expect, test, vi } from 'vitest';
import type { tx as rich } from './rich-text.ts';

// Each test has a page of its own: the language is settled once for a page.
afterEach(() => vi.resetModules());

async function page(texts?: Record<string, string>) {
  const translate = await import('./translate.ts');
  if (texts !== undefined) translate.addTexts('pt-BR', texts);
  return { ...translate, ...(await import('./plural.ts')), ...(await import('./rich-text.ts')) };
}

/** What a person reads of it. */
function read(node: ReturnType<typeof rich>): string {
  if (Array.isArray(node)) return node.map(read).join('');
  if (typeof node === 'object' && node !== null && 'props' in node) {
    return read((node.props as { children?: ReturnType<typeof rich> }).children ?? '');
  }
  return String(node);
}

test('without a catalogue the English text is shown, with what is filled in', async () => {
  const { t, known, pageLanguage } = await page();
  expect(pageLanguage()).toBe('en');
  expect(t('Delete {name}?', { name: '{count}' })).toBe('Delete {count}?');
  expect(t('Open##state')).toBe('Open');
  expect(known('Not found.')).toBe('Not found.');
});

test('with a catalogue its text is shown, and English where it has none', async () => {
  const { t, known } = await page({
    'Delete {name}?': 'Excluir {name}?',
    'Open##state': 'Aberto',
    'Not found.': 'Não encontrado.',
  });
  expect(t('Delete {name}?', { name: 'Ana' })).toBe('Excluir Ana?');
  expect(t('Open##state')).toBe('Aberto');
  expect(t('Open')).toBe('Open');
  expect(known('Not found.')).toBe('Não encontrado.');
  expect(known('A message nobody knows')).toBe('A message nobody knows');
});

test('the language decides which numbers are one, and none is never one', async () => {
  const english = await page();
  expect([0, 1, 2, 1200].map((count) => english.plural(count, '{count} case', '{count} cases'))).toEqual([
    '0 cases',
    '1 case',
    '2 cases',
    '1,200 cases',
  ]);
  vi.resetModules();
  const { plural } = await page({ '{count} case': '{count} caso', '{count} cases': '{count} casos' });
  expect([0, 1, 1.5, 1200].map((count) => plural(count, '{count} case', '{count} cases'))).toEqual([
    '0 casos',
    '1 caso',
    '1,5 caso',
    '1.200 casos',
  ]);
});

test('elements and values stand where the translation has them', async () => {
  const { tx } = await page({ 'Read <link>the guide</link>, {name}.': '{name}, leia <link>o guia</link>.' });
  const link = vi.fn((text: string) => `[${text}]`);
  expect(read(tx('Read <link>the guide</link>, {name}.', { link, name: 'Ana' }))).toBe('Ana, leia [o guia].');
  expect(link).toHaveBeenCalledWith('o guia');
});

test('a sentence of the server is translated by its reason, and stays English where the catalogue has none', async () => {
  const { told } = await page({ TEXT_TOO_LONG: 'No máximo {maximum} caracteres.', 'Not an id.': 'Isto não é um id.' });
  const tooLong = { message: 'At most 5 characters.', reason: 'TEXT_TOO_LONG', values: { maximum: 5 } };
  expect(told(tooLong)).toBe('No máximo 5 caracteres.');
  expect(told({ message: 'Not an id.' })).toBe('Isto não é um id.');
  expect(told({ ...tooLong, reason: 'OF_A_LATER_SERVER' })).toBe('At most 5 characters.');
});

test('a number in a sentence of the server is written as its reader does, a text is not', async () => {
  const { told } = await page({ BROAD: 'Cerca de {matches} na porta {port}.' });
  const values = { matches: 1204, port: '8514' };
  expect(told({ message: 'About 1,204 at port 8514.', reason: 'BROAD', values })).toBe('Cerca de 1.204 na porta 8514.');
});

test('words in a sentence of the server are translated each by its own reason', async () => {
  const { told } = await page({ USED: '{name} é usado por {uses}.', BY_PLAYBOOK: 'playbook {name}', Rest: 'Resto' });
  const uses = [
    { message: 'playbook One', reason: 'BY_PLAYBOOK', values: { name: 'Um' } },
    { message: 'something else', reason: 'OF_A_LATER_SERVER', values: {} },
    { message: 'Rest' },
    { path: 'inputs.ip', message: 'Rest' },
  ];
  expect(told({ message: '', reason: 'USED', values: { name: 'X', uses } })).toBe(
    'X é usado por playbook Um, something else, Resto, inputs.ip: Resto.',
  );
});
