import { expect, test } from 'vitest';
import { playbook } from '../playbook-fixtures.ts';
import { facetOptions, playbookRows, stateOf } from './playbook-rows.ts';
import { playbooksSearch } from './playbooks-search.ts';

const named = (number: number, name: string, fields = {}) =>
  playbook(number, { metadata: { ...playbook(1).metadata, name }, ...fields });
const figures = (success_rate: number | null) => ({ figures: { ...playbook(1).figures, success_rate } });
const all = [
  named(1, 'Phishing triage', { ...figures(0.9), triggers: ['manual'] }),
  named(2, 'Block address', { ...figures(null), version: 0 }),
  named(3, 'Élan host', { ...figures(0.2), has_draft: true, triggers: ['playbook'] }),
];
const names = (search: Record<string, unknown>) =>
  playbookRows(all, playbooksSearch(search)).map(({ metadata }) => metadata.name);

test('without a word they stand by name, and turned around when asked', () => {
  expect(names({})).toEqual(['Block address', 'Élan host', 'Phishing triage']);
  expect(names({ sort: '-name' })).toEqual(['Phishing triage', 'Élan host', 'Block address']);
});

test('what has no figure stands last, whichever way it is sorted', () => {
  expect(names({ sort: 'success_rate' })).toEqual(['Élan host', 'Phishing triage', 'Block address']);
  expect(names({ sort: '-success_rate' })).toEqual(['Phishing triage', 'Élan host', 'Block address']);
});

test('the search reads names without accents, descriptions and the actions that are called', () => {
  expect(names({ q: 'elan' })).toEqual(['Élan host']);
  expect(names({ q: 'virustotal phishing' })).toEqual(['Phishing triage']);
  expect(names({ q: 'nothing at all' })).toEqual([]);
});

test('triggers and states filter together, and an unknown one is no filter', () => {
  expect(names({ filters: { trigger: ['playbook'] } })).toEqual(['Élan host']);
  expect(names({ filters: { state: ['draft', 'changed'] } })).toEqual(['Block address', 'Élan host']);
  expect(names({ filters: { state: ['draft'], trigger: ['playbook'] } })).toEqual([]);
  expect(names({ filters: { state: ['deleted'] } })).toHaveLength(3);
});

test('each playbook is in one state, and the filters count what the search finds', () => {
  expect(all.map(stateOf)).toEqual(['published', 'draft', 'changed']);
  const { state, trigger } = facetOptions(all, 'host');
  expect(state.map(({ count }) => count)).toEqual([0, 0, 1]);
  expect(trigger.find(({ value }) => value === 'playbook')?.count).toBe(1);
});

test('an address names a drawer only by an id, and a part of it only by its name', () => {
  expect(playbooksSearch({ action: 'x', settings: 'admin', sort: 'drop' })).toEqual({});
  expect(playbooksSearch({ settings: 'run' })).toMatchObject({ settings: 'run' });
});
