import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { draftOf, type ImportDraft, importOf, importProblems, refusedProblems } from './import-draft.ts';
import { description, imported } from './import-fixture.ts';

const draft = (more: Partial<ImportDraft> = {}): ImportDraft => ({
  ...draftOf(description, undefined),
  chosen: new Set(['GET /hosts']),
  ...more,
});
const problemsOf = (more: Partial<ImportDraft>) =>
  Object.entries(importProblems(draft(more))).flatMap(([field, problem]) => (problem === undefined ? [] : [field]));

test('the form begins with what the description says; without credentials it proposes a token', () => {
  expect(draftOf(description, undefined)).toMatchObject({
    name: 'Inventory',
    baseUrl: 'https://inventory.example/v1',
    credential: 'document',
  });
  expect(draftOf({ ...description, base_url: null, credentials: [] }, undefined)).toMatchObject({
    baseUrl: '',
    credential: 'bearer',
  });
  expect(draftOf(description, { ...imported, name: 'Ours' }).name).toBe('Ours');
});

test('an integration that is imported again begins with the operations it has, of those that are still there', () => {
  expect([...draftOf(description, undefined).chosen]).toEqual([]);
  const operations = ['GET /gone', 'DELETE /hosts/{id}', 'GET /hosts', 'POST /photos'];
  // Of the photos no action can be made any more.
  expect([...draftOf(description, { ...imported, operations }).chosen]).toEqual(['GET /hosts', 'DELETE /hosts/{id}']);
  const { operations: _, ...before } = imported;
  expect(draftOf(description, before as typeof imported).chosen.size).toBe(0);
});

test.each<[Partial<ImportDraft>, string[]]>([
  [{}, []],
  [{ name: ' ' }, ['name']],
  [{ baseUrl: '' }, ['baseUrl']],
  [{ baseUrl: 'inventory.example' }, ['baseUrl']],
  [{ baseUrl: 'ftp://inventory.example' }, ['baseUrl']],
  [{ baseUrl: 'https://{tenant}.example' }, ['baseUrl']],
  [{ credential: 'header' }, ['keyName']],
  [{ credential: 'query', keyName: 'key' }, []],
  [{ chosen: new Set() }, ['chosen']],
  [{ chosen: new Set(Array.from({ length: 101 }, (_, index) => `GET /${index}`)) }, ['chosen']],
])('%o is wrong in %j', (more, fields) => {
  expect(problemsOf(more)).toEqual(fields);
});

test('what is sent is in the order of the description, and names what it replaces', () => {
  const chosen = new Set(['DELETE /hosts/{id}', 'GET /hosts']);
  expect(importOf(description, draft({ chosen, name: ' Ours ' }), undefined)).toEqual({
    document_id: description.id,
    operations: ['GET /hosts', 'DELETE /hosts/{id}'],
    name: 'Ours',
    base_url: 'https://inventory.example/v1',
  });
  expect(importOf(description, draft({ credential: 'header', keyName: 'X-Key ' }), imported)).toMatchObject({
    credential: { kind: 'key', place: 'header', name: 'X-Key' },
    replaces: { id: imported.id, version: 1 },
  });
});

test('what the server refuses stands at its field, also inside of one', () => {
  const error = new ApiError({
    endpoint: '',
    method: 'POST',
    category: 'client',
    code: 'VALIDATION_FAILED',
    message: 'No.',
    details: [
      { path: 'body.credential.name', message: 'The header "Host" belongs to the connection.' },
      { path: 'body.document_id', message: 'Unknown.' },
    ],
  });
  expect(refusedProblems(error)).toEqual({ keyName: 'The header "Host" belongs to the connection.' });
  expect(refusedProblems(new Error('offline'))).toEqual({});
});
