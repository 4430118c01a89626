import { limits } from '@airdeck/contracts/limits';
import { listValues } from '@airdeck/contracts/value-list';
import { describe, expect, it } from 'vitest';
import { caseListParams, isFiltered, startingAt } from './case-list-query.ts';
import { caseListSearch } from './case-list-search.ts';

const id = '01a1fba6-189a-716e-a638-3ac9a7212516';

describe('what the list asks for', () => {
  it('keeps an end only where it lies behind the start that is chosen', () => {
    const [may, june] = ['2026-05-31T00:00:00.000Z', '2026-06-30T00:00:00.000Z'];
    expect(startingAt({ endTime: may }, june)).toEqual({ startTime: june, endTime: undefined });
    expect(startingAt({ endTime: june }, may)).toEqual({ startTime: may });
    expect(startingAt({ endTime: may }, undefined)).toEqual({ startTime: undefined });
  });

  it('asks for the newest 25 when nothing is said', () => {
    expect(caseListParams({})).toEqual({ sort: '-time_opened', page: 1, limit: 25 });
  });

  it('asks for the cases of policies, of a technique and of a figure', () => {
    expect(caseListParams({ policy: [id], technique: 'T1110', figure: 'late' })).toMatchObject({
      ...{ policy: id, technique: 'T1110', figure: 'late' },
    });
  });

  it('joins the values of a filter, and never cuts one in two', () => {
    const long = Array.from({ length: 49 }, () => `${','.repeat(300)}${'x'.repeat(200)}`);
    const filters = { status: ['open' as const, 'closed' as const], source: [...long, 'okta', 'sshd'] };
    const { status, source = '' } = caseListParams({ filters });
    expect(status).toBe('open,closed');
    expect(source.length).toBeLessThanOrEqual(limits.textListMax);
    const sent = listValues(source);
    expect(sent.slice(-2)).toEqual(['okta', 'sshd']);
    expect(sent.every((value) => filters.source.includes(value))).toBe(true);
  });

  it('asks for a value with a comma, and for a long one, as they are', () => {
    const category = ['logon, remote', 'x'.repeat(400)];
    expect(listValues(caseListParams({ filters: { category } }).category ?? '')).toEqual(category);
    expect(caseListSearch({ filters: { category: 'logon\\, remote,other' } }).filters).toEqual({
      category: ['logon, remote', 'other'],
    });
  });

  it('counts as filtered by search, filters and time, not by sort, page or the open case', () => {
    expect(isFiltered({ sort: 'severity', page: 2, case: id })).toBe(false);
    expect(isFiltered({ q: 'ssh' })).toBe(true);
    expect(isFiltered({ technique: 'T1110' })).toBe(true);
    expect(isFiltered({ filters: { status: ['open'] } })).toBe(true);
    expect(isFiltered({ startTime: '2026-11-13T23:00:00.000Z' })).toBe(true);
  });
});
