import type { CaseBulkResult } from '@airdeck/contracts/cases/schema';
import { describe, expect, it } from 'vitest';
import { undoSteps } from './bulk-undo.ts';

type State = NonNullable<CaseBulkResult['before']>;

function changed(id: string, before: Partial<State> = {}, after: Partial<State> = {}): CaseBulkResult {
  const nothing: State = { alert_status: 'open', assignee: null, tags: [] };
  return {
    ...{ id, reference: id, outcome: 'changed', message: null, conflict: false, run_id: null },
    before: { ...nothing, ...before },
    after: { ...nothing, ...before, ...after },
  };
}
const refused: CaseBulkResult = { ...changed('r'), outcome: 'refused', before: null, after: null };

describe('taking back', () => {
  it('an acknowledgement opens what was open, and leaves alone what was refused', () => {
    const acknowledged = changed('a', {}, { alert_status: 'acknowledged' });
    expect(undoSteps({ alert_status: 'acknowledged' }, { results: [acknowledged, refused] })).toEqual([
      { cases: ['a'], change: { alert_status: 'open' }, seen: [{ id: 'a', alert_status: 'acknowledged' }] },
    ]);
  });

  it('a close acknowledges again what was acknowledged', () => {
    const closed = { alert_status: 'closed' } as const;
    const results = [changed('a', {}, closed), changed('b', { alert_status: 'acknowledged' }, closed)];
    expect(undoSteps({ alert_status: 'closed', close_reason: 'benign' }, { results })).toEqual([
      {
        cases: ['a', 'b'],
        change: { alert_status: 'open' },
        seen: [
          { id: 'a', ...closed },
          { id: 'b', ...closed },
        ],
      },
      { cases: ['b'], change: { alert_status: 'acknowledged' }, seen: [{ id: 'b', alert_status: 'open' }] },
    ]);
  });

  it('a response takes the acknowledgement back, and a close the end of the wait too', () => {
    const [mine, theirs] = ['2026-11-21T10:00:00.000Z', '2026-11-21T08:00:00.000Z'];
    const nobody: Partial<State> = { time_acknowledged: null, waiting_since: null };
    const closed: Partial<State> = { alert_status: 'closed', time_acknowledged: mine, waiting_since: null };
    const results = [
      changed('a', nobody, closed),
      changed('b', { ...nobody, waiting_since: theirs }, closed),
      changed('c', { time_acknowledged: theirs, waiting_since: theirs }, { ...closed, time_acknowledged: theirs }),
    ];
    const seen = { alert_status: 'closed' };
    expect(undoSteps({ alert_status: 'closed', close_reason: 'benign' }, { results })).toEqual([
      {
        cases: ['a'],
        change: { alert_status: 'open', unacknowledge: true },
        seen: [{ id: 'a', ...seen, time_acknowledged: mine }],
      },
      {
        cases: ['b'],
        change: { alert_status: 'open', unacknowledge: true, waiting_on_customer: true },
        seen: [{ id: 'b', ...seen, time_acknowledged: mine }],
      },
      { cases: ['c'], change: { alert_status: 'open', waiting_on_customer: true }, seen: [{ id: 'c', ...seen }] },
    ]);
    const acknowledged = changed('a', nobody, { alert_status: 'acknowledged', time_acknowledged: mine });
    expect(undoSteps({ alert_status: 'acknowledged' }, { results: [acknowledged] })).toEqual([
      {
        cases: ['a'],
        change: { alert_status: 'open', unacknowledge: true },
        seen: [{ id: 'a', alert_status: 'acknowledged', time_acknowledged: mine }],
      },
    ]);
  });

  it('an assignment gives each case back to whoever had it', () => {
    const mine = { assignee: 'me@example.com' };
    const results = [changed('a', {}, mine), changed('b', { assignee: 'ada@example.com' }, mine)];
    expect(undoSteps(mine, { results })).toEqual([
      { cases: ['a'], change: { assignee: null }, seen: [{ id: 'a', ...mine }] },
      { cases: ['b'], change: { assignee: 'ada@example.com' }, seen: [{ id: 'b', ...mine }] },
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
