import { sigmaImportLimits } from '@airdeck/contracts/policies/import-schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { expect, test } from 'vitest';
import { documentSteps, pieceSteps, SIGMA_DOCUMENTS_MAX, sigmaPieceLimits } from './sigma-documents.ts';
import { atOnce } from './steps.ts';

const documentsOf = (text: string) => atOnce(documentSteps(text));
const piecesOf = (text: string) => atOnce(pieceSteps({ name: 'rules.yml', text }));
const document = (at: number) => `title: Rule ${at}\ndescription: ${'x'.repeat(500)}\n`;

test.each([
  ['one', 'title: a\n', ['title: a\n']],
  ['a separator at either end', '---\ntitle: a\n...\n', ['\ntitle: a\n']],
  ['dashes within a line and within a text', 'title: a --- b\ntext: |\n  ---\n', ['title: a --- b\ntext: |\n  ---\n']],
  ['more than a separator', '----\ntitle: a\n', ['----\ntitle: a\n']],
  ['lines of Windows', 'title: a\r\n---\r\ntitle: b\r\n', ['title: a\r\n', '\r\ntitle: b\r\n']],
  ['nothing but comments and spaces between two', 'a: 1\n---\n # no\n\t\n---\n  b: 2', ['a: 1\n', '\n  b: 2']],
  ['nothing at all', ' \n# only words\n', []],
])('documents of a file: %s', (_, text, documents) => {
  expect(documentsOf(text)).toEqual(documents);
});

test('a file of nothing but empty lines has no document, however long it is', () => {
  expect(documentsOf('\n'.repeat(1_000_000))).toEqual([]);
});

test('a file with more documents than are taken has none', () => {
  expect(documentsOf(Array.from({ length: SIGMA_DOCUMENTS_MAX }, () => 'a: 1').join('\n---\n'))).toHaveLength(
    SIGMA_DOCUMENTS_MAX,
  );
  const more = Array.from({ length: SIGMA_DOCUMENTS_MAX + 1 }, () => document(1)).join('---\n');
  expect(documentsOf(more)).toBeUndefined();
  expect(piecesOf(more)).toMatchObject([{ documents: 1, problem: 'too_many_documents' }]);
});

test('a file that fits into a call stays letter by letter, and says how many rules it has', () => {
  const text = `---\n${document(1)}---\n# between\n---\n${document(2)}`;
  expect(piecesOf(text)).toMatchObject([{ name: 'rules.yml', text, from: 1, documents: 2 }]);
  expect(piecesOf('')).toMatchObject([{ text: '', from: 1, documents: 1 }]);
});

test('a longer one comes document by document, each with its number', () => {
  const pieces = piecesOf(Array.from({ length: 2_000 }, (_, at) => document(at + 1)).join('---\n'));
  expect(pieces.map(({ from }) => from)).toEqual(Array.from({ length: 2_000 }, (_, at) => at + 1));
  expect(pieces.every(({ text, from, documents }) => text.trimStart() === document(from) && documents === 1)).toBe(
    true,
  );
});

test('what no call takes says why, and keeps nothing beside it from being sent', () => {
  const long = `title: "${'x'.repeat(sigmaPieceLimits.chars)}"\n`;
  // As JSON each of these characters is six bytes.
  const large = `title: "${'\u0001'.repeat(sigmaPieceLimits.chars - 100)}"\n`;
  expect(piecesOf([document(1), long, large, document(4)].join('---\n')).map(({ problem }) => problem)).toEqual([
    ...[undefined, 'too_long', 'too_large', undefined],
  ]);
});

test('a call takes what is sent', () => {
  expect(sigmaPieceLimits.chars).toBe(sigmaImportLimits.fileChars);
  expect(sigmaPieceLimits.bytes).toBeLessThan(serverLimits.jsonBodyMaxBytes - 5_000);
});
