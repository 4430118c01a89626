import type { CaseBulkResult } from '@airdeck/contracts/cases/schema';
import { describe, expect, it } from 'vitest';
import { undoSteps } from './bulk-undo.ts';

function changed(id: string, before: Partial<NonNullable<CaseBulkResult['before']>> = {}): CaseBulkResult {
  return {
    ...{ id, reference: id, outcome: 'changed', message: null, run_id: null },
    before: { alert_status: 'open', assignee: null, tags: [], ...before },
  };
}
const refused: CaseBulkResult = { ...changed('r'), outcome: 'refused', before: null };

describe('taking back', () => {
  it('an acknowledgement opens what was open, and leaves alone what was refused', () => {
    expect(undoSteps({ alert_status: 'acknowledged' }, { results: [changed('a'), refused] })).toEqual([
      { cases: ['a'], change: { alert_status: 'open' } },
    ]);
  });

  it('a close acknowledges again what was acknowledged', () => {
    const results = [changed('a'), changed('b', { alert_status: 'acknowledged' })];
    expect(undoSteps({ alert_status: 'closed', close_reason: 'benign' }, { results })).toEqual([
      { cases: ['a', 'b'], change: { alert_status: 'open' } },
      { cases: ['b'], change: { alert_status: 'acknowledged' } },
    ]);
  });

  it('an assignment gives each case back to whoever had it', () => {
    const results = [changed('a'), changed('b', { assignee: 'ada@example.com' }), changed('c')];
    expect(undoSteps({ assignee: 'me@example.com' }, { results })).toEqual([
      { cases: ['a', 'c'], change: { assignee: null } },
      { cases: ['b'], change: { assignee: 'ada@example.com' } },
    ]);
  });

  it('tags takes away only what was not there before', () => {
    const results = [changed('a'), changed('b', { tags: ['vpn'] })];
    expect(undoSteps({ add_tags: ['vpn', 'new'] }, { results })).toEqual([
      { cases: ['a'], change: { remove_tags: ['vpn', 'new'], add_tags: [] } },
      { cases: ['b'], change: { remove_tags: ['new'], add_tags: [] } },
    ]);
  });

  it('nothing where nothing changed', () => {
    expect(undoSteps({ alert_status: 'acknowledged' }, { results: [refused] })).toEqual([]);
  });
});
