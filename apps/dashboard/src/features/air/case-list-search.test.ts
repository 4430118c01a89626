import { describe, expect, it } from 'vitest';
import { caseListSearch } from './case-list-search.ts';

const id = '01a1fba6-189a-716e-a638-3ac9a7212516';

describe('search parameters of the case list', () => {
  it('keeps what it knows and drops the rest', () => {
    const search = {
      startTime: '2026-11-14T00:00:00+01:00',
      q: 'ssh',
      filters: { status: ['open', 'lost'], severity: ['critical'], source: ['sshd'], colour: ['red'] },
      sort: '-severity',
      page: '2',
      case: id,
      other: 'x',
    };
    expect(caseListSearch(search)).toEqual({
      startTime: '2026-11-13T23:00:00.000Z',
      q: 'ssh',
      filters: { status: ['open'], severity: ['critical'], source: ['sshd'] },
      sort: '-severity',
      page: 2,
      case: id,
    });
  });

  it('drops values that would make the server refuse', () => {
    expect(
      caseListSearch({ startTime: 'yesterday', sort: 'name', page: '0', case: 'CASE-1', filters: 'open' }),
    ).toEqual({});
    expect(caseListSearch({ startTime: '2026-11-14T00:00:00Z', endTime: '2026-11-14T00:00:00Z' })).toEqual({});
  });

  it('takes policies as a list and as one text, and is the same read again', () => {
    const found = caseListSearch({ policy: [id, 'all', 7] });
    expect(found).toEqual({ policy: [id] });
    expect(caseListSearch({ policy: `${id.toUpperCase()},x` })).toEqual(found);
    expect(caseListSearch(found)).toEqual(found);
  });

  it('takes a technique as a whole, and nothing the server would refuse', () => {
    expect(caseListSearch({ technique: 'T1110' })).toEqual({ technique: 'T1110' });
    for (const technique of ['T1110.001', 'T1110,T1059', '1110', 't1110', 7, {}])
      expect(caseListSearch({ technique })).toEqual({});
  });
});
