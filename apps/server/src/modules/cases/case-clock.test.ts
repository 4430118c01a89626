import { describe, expect, test } from 'vitest';
import { clockChange, clockMoments, isBreached, startClock, type Targets } from './case-clock.ts';
import type { CaseRow } from './cases-repository.ts';

const minute = (n: number) => new Date(Date.UTC(2026, 2, 1, 12, n));
const targets: Targets = {
  low: { respond: null, resolve: null },
  medium: { respond: 60, resolve: null },
  high: { respond: 20, resolve: 100 },
  critical: { respond: 8, resolve: 40 },
};

function row(parts: Partial<CaseRow> = {}): CaseRow {
  return {
    ...{ id: 'i', tenant_id: 't', number: 1, alert_type: 'policy', policy_id: null, policy_origin: null },
    ...{ group_key: null, name: '', description: '', category: '', severity: 'high', severity_rank: 2, status: 'open' },
    ...{ log_sources: [], meta: {}, opened_at: minute(0), time_opened: minute(0), time_updated: minute(0) },
    ...{ time_acknowledged: null, acknowledged_by: null, time_closed: null, closed_by: null, closed_by_person: null },
    ...{ close_reason: null, automated_response_at: null, assignee: null, tags: [], event_count: 0, search_text: '' },
    ...{ respond_by: minute(20), resolve_by: minute(100), waiting_since: null, clock_stood_s: 0 },
    ...{ clock_next_at: null, escalations: 0, request_hash: null, ...parts },
  };
}

const change = (of: CaseRow, set: Parameters<typeof clockChange>[1], at: Date) => clockChange(of, set, { at, targets });

const told = (of: CaseRow, contacts = 0) =>
  clockMoments(of, contacts).map(({ name, at }) => `${name} ${(at.getTime() - minute(0).getTime()) / 60_000}`);

describe('the start', () => {
  test('counts both times from the opening, and is first looked at when the first quarter is left', () => {
    expect(startClock(targets, { severity: 'high', openedAt: minute(0) })).toEqual({
      respond_by: minute(20),
      resolve_by: minute(100),
      clock_next_at: minute(15),
    });
  });

  test('has no clock where the tenant has no target', () => {
    const none = { respond_by: null, resolve_by: null, clock_next_at: null };
    expect(startClock(targets, { severity: 'low', openedAt: minute(0) })).toEqual(none);
  });
});

describe('a change', () => {
  test('of tags or assignee leaves the clock alone', () => {
    expect(change(row(), { tags: ['x'], assignee: 'ada@example.com' }, minute(5))).toEqual({});
  });

  test('of the severity counts by the new targets, without the time that stood still', () => {
    expect(change(row({ clock_stood_s: 120 }), { severity: 'critical' }, minute(5))).toMatchObject({
      respond_by: minute(10),
      resolve_by: minute(42),
      clock_next_at: minute(5),
    });
  });

  test('never makes a response late that was in time', () => {
    const answered = row({ time_acknowledged: minute(15), status: 'acknowledged' });
    const changed = { ...answered, ...change(answered, { severity: 'critical' }, minute(16)) } as CaseRow;
    expect(changed).toMatchObject({ respond_by: minute(20), resolve_by: minute(40) });
    expect(isBreached(changed, minute(17))).toBe(false);
  });

  test('to waiting stops the clock, and back moves both times on by as much', () => {
    const waits = row({ waiting_since: minute(10) });
    expect(change(row(), { waiting_since: minute(10) }, minute(10))).toMatchObject({ clock_next_at: null });
    expect(isBreached(waits, minute(90))).toBe(false);
    expect(change(waits, { waiting_since: null }, minute(40))).toMatchObject({
      clock_stood_s: 1800,
      respond_by: minute(50),
      resolve_by: minute(130),
      clock_next_at: minute(40),
    });
  });

  test('to acknowledged while it waits counts the wait until then, and only once', () => {
    const waits = row({ waiting_since: minute(10) });
    const set = { status: 'acknowledged', time_acknowledged: minute(60) } as const;
    const answered = { ...waits, ...set, ...change(waits, set, minute(60)) } as CaseRow;
    expect(answered).toMatchObject({ clock_stood_s: 0, respond_by: minute(70), resolve_by: minute(100) });
    expect(isBreached(answered, minute(65))).toBe(false);
    const goesOn = { ...answered, ...change(answered, { waiting_since: null }, minute(65)), waiting_since: null };
    expect(goesOn).toMatchObject({ clock_stood_s: 3300, respond_by: minute(70), resolve_by: minute(155) });
    expect(isBreached(goesOn as CaseRow, minute(155))).toBe(false);
  });

  test('to acknowledged while it waits stays late where it was late before', () => {
    const waits = row({ waiting_since: minute(25) });
    const set = { status: 'acknowledged', time_acknowledged: minute(60) } as const;
    const answered = { ...waits, ...set, ...change(waits, set, minute(60)) } as CaseRow;
    expect(isBreached(answered, minute(60))).toBe(true);
  });

  test('back to open with the acknowledgement taken back is as if nobody had responded', () => {
    const back = { status: 'open', time_acknowledged: null } as const;
    const answered = row({ status: 'acknowledged', time_acknowledged: minute(5) });
    const opened = { ...answered, ...back, ...change(answered, back, minute(6)) } as CaseRow;
    expect(opened).toMatchObject({ respond_by: minute(20), clock_next_at: minute(6) });
    expect(told(opened)).toEqual(told(row()));
  });

  test('to acknowledged and back while it waits counts the wait once', () => {
    const waits = row({ waiting_since: minute(10) });
    const set = { status: 'acknowledged', time_acknowledged: minute(30) } as const;
    const answered = { ...waits, ...set, ...change(waits, set, minute(30)) } as CaseRow;
    expect(answered).toMatchObject({ respond_by: minute(40) });
    const back = { status: 'open', time_acknowledged: null } as const;
    const opened = { ...answered, ...back, ...change(answered, back, minute(35)) } as CaseRow;
    expect(opened).toMatchObject({ respond_by: minute(20), clock_next_at: null });
    expect(change(opened, { waiting_since: null }, minute(40))).toMatchObject({ respond_by: minute(50) });
  });

  test('to closed and back while it waits goes on waiting, and counts all of it once', () => {
    const waits = row({ waiting_since: minute(10) });
    const closing = { status: 'closed', time_acknowledged: minute(30), time_closed: minute(30), waiting_since: null };
    const closed = { ...waits, ...closing, ...change(waits, closing as never, minute(30)) } as CaseRow;
    const back = { status: 'open', time_acknowledged: null, time_closed: null, waiting_since: minute(34) } as const;
    const opened = { ...closed, ...back, ...change(closed, back, minute(34)) } as CaseRow;
    expect(opened).toMatchObject({ respond_by: minute(44), resolve_by: minute(124), clock_next_at: null });
    expect(change(opened, { waiting_since: null }, minute(40))).toMatchObject({
      clock_stood_s: 1800,
      respond_by: minute(50),
      resolve_by: minute(130),
    });
  });

  test('to acknowledged and to waiting at once leaves the time to respond', () => {
    const set = { status: 'acknowledged', time_acknowledged: minute(15), waiting_since: minute(15) } as const;
    expect(change(row(), set, minute(15))).toMatchObject({ respond_by: minute(20) });
  });

  test('back to open does not count the time it was closed', () => {
    const closed = row({ status: 'closed', time_closed: minute(50), time_acknowledged: minute(10) });
    expect(change(closed, { status: 'open', time_closed: null }, minute(80))).toMatchObject({
      clock_stood_s: 1800,
      respond_by: minute(20),
      resolve_by: minute(130),
    });
  });

  test('to closed ends the wait and the looks', () => {
    const set = { status: 'closed', time_closed: minute(30), waiting_since: null } as const;
    const closed = change(row({ waiting_since: minute(10) }), set, minute(30));
    expect(closed).toMatchObject({ clock_stood_s: 1200, resolve_by: minute(120), clock_next_at: null });
  });
});

describe('what is told', () => {
  test('is a warning when a quarter is left and a breach when none is', () => {
    expect(told(row())).toEqual([
      'respond_warning 15',
      'respond_breach 20',
      'resolve_warning 75',
      'resolve_breach 100',
    ]);
  });

  test('warns when a quarter of the time it ran is left, however long it stood still', () => {
    const waited = row({ waiting_since: minute(10) });
    const goesOn = { ...waited, ...change(waited, { waiting_since: null }, minute(1010)) } as CaseRow;
    expect(told(goesOn)).toEqual([
      'respond_warning 1015',
      'respond_breach 1020',
      'resolve_warning 1075',
      'resolve_breach 1100',
    ]);
  });

  test('is nothing of a response once there was one', () => {
    expect(told(row({ time_acknowledged: minute(3) }), 3)).toEqual(['resolve_warning 75', 'resolve_breach 100']);
  });

  test('goes to one contact after the other, as long as there are some', () => {
    expect(told(row(), 2)).toContain('escalation_1 20');
    expect(told(row({ escalations: 1 }), 2)).toContain('escalation_2 50');
    expect(told(row({ escalations: 2 }), 2).join()).not.toContain('escalation');
  });
});

describe('late', () => {
  test.each<[string, Partial<CaseRow>, number, boolean]>([
    ['in time', {}, 20, false],
    ['nobody responded', {}, 21, true],
    ['responded in time', { time_acknowledged: minute(20) }, 100, false],
    ['responded too late, which stays so', { time_acknowledged: minute(21), time_closed: minute(30) }, 500, true],
    ['closed too late', { time_acknowledged: minute(5), time_closed: minute(101) }, 500, true],
    ['closed in time', { time_acknowledged: minute(5), time_closed: minute(99) }, 500, false],
    ['closed in time by automation, without a response', { time_closed: minute(19) }, 500, false],
    ['no targets', { respond_by: null, resolve_by: null }, 5000, false],
  ])('%s', (_name, parts, now, expected) => {
    expect(isBreached(row(parts), minute(now))).toBe(expected);
  });
});
