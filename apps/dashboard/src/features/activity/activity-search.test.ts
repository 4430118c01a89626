import { describe, expect, it } from 'vitest';
import { actionActivitySearch, actionListFilter, playbookActivitySearch, runListFilter } from './activity-search.ts';

describe('activity search parameters', () => {
  it('sends one type, and none when both are chosen, which is the same as no filter', () => {
    const filterOf = (type: string[]) => actionListFilter(actionActivitySearch({ filters: { type } }));
    expect(filterOf(['playbook'])).toEqual({ type: 'playbook' });
    expect(filterOf(['playbook', 'standalone'])).toEqual({});
  });

  it('takes several statuses, and drops those the screen does not offer', () => {
    const search = actionActivitySearch({ filters: { status: 'error,waiting,running' } });
    expect(actionListFilter(search)).toEqual({ status: 'running,error' });
    expect(runListFilter(playbookActivitySearch({ filters: { status: ['waiting'] } }))).toEqual({ status: 'waiting' });
  });

  it('opens no drawer for something that is not an id', () => {
    expect(actionActivitySearch({ action: 'drop table' })).toEqual({});
    const id = '01A1FBAF-CA01-72E4-AE7C-180828FCFC18';
    expect(actionActivitySearch({ action: id })).toEqual({ action: id.toLowerCase() });
  });
});
