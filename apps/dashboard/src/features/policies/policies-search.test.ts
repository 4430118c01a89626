import { limits } from '@airdeck/contracts/limits';
import { listValues } from '@airdeck/contracts/value-list';
import { expect, test } from 'vitest';
import { editorSearch, policiesParams, policiesSearch } from './policies-search.ts';

test('an address becomes what the route takes', () => {
  const search = policiesSearch({
    q: 'guess',
    filters: {
      status: ['disabled'],
      severity: ['high', 'low', 'fatal'],
      source: ['sshd', 'okta'],
      category: ['sigma'],
    },
    page: '3',
    policy: '0197F3A2-0000-7000-8000-00000000000A',
    startTime: '2026-11-01',
  });
  expect(search).toMatchObject({
    policy: '0197f3a2-0000-7000-8000-00000000000a',
    startTime: '2026-11-01T00:00:00.000Z',
  });
  expect(policiesParams(search)).toEqual({
    q: 'guess',
    enabled: 'false',
    severity: 'low,high',
    source: 'sshd,okta',
    origin: 'sigma',
    start_time: '2026-11-01T00:00:00.000Z',
    page_number: 3,
    page_size: 20,
  });
});

test('both states are no filter, and what is no value is left out', () => {
  const search = policiesSearch({
    filters: { status: ['enabled', 'disabled'], category: ['x'] },
    policy: 'x',
    page: '-1',
  });
  expect(search.policy).toBeUndefined();
  expect(policiesParams(search)).toEqual({ page_number: 1, page_size: 20 });
});

test('sources beyond what the route takes are left out whole, and commas in one do not part it', () => {
  const source = Array.from({ length: 50 }, (_, index) => `${','.repeat(400)}${index}`);
  const sent = policiesParams(policiesSearch({ filters: { source } })).source ?? '';
  expect(sent.length).toBeLessThanOrEqual(limits.textListMax);
  expect(listValues(sent).every((each) => source.includes(each))).toBe(true);
});

test('the editor’s address holds only what differs from how it opens', () => {
  expect(editorSearch({ view: 'form', panel: 'events', copy: 'x' })).toEqual({});
  expect(editorSearch({ view: 'json', panel: 'backtest' })).toEqual({ view: 'json', panel: 'backtest' });
});

test('a value to begin with is taken whole or not at all', () => {
  const criterion = { field: 'src_ip', value: '192.0.2.7' };
  expect(editorSearch({ criterion, source: 'sshd:authentication' })).toEqual({
    criterion,
    source: 'sshd:authentication',
  });
  for (const half of ['src_ip', { field: 'src_ip' }, { value: 'x' }, [], null]) {
    expect(editorSearch({ criterion: half })).toEqual({});
  }
});
