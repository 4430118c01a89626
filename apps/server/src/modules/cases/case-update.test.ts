import { type CaseStatus, caseStatuses } from '@airdeck/contracts/statuses';
import { describe, expect, test } from 'vitest';
import { planCaseUpdate } from './case-update.ts';
import type { CaseRow } from './cases-repository.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const earlier = new Date('2026-03-01T11:00:00.000Z');
const ada = { username: 'ada@example.com', byPerson: true, at };

function row(parts: Partial<CaseRow> = {}): CaseRow {
  return {
    id: '01957000-0000-7000-8000-000000000001',
    tenant_id: '01957000-0000-7000-8000-000000000002',
    number: 1,
    alert_type: 'policy',
    policy_id: null,
    group_key: null,
    name: 'n',
    description: '',
    category: '',
    severity: 'low',
    severity_rank: 0,
    status: 'open',
    log_sources: [],
    meta: {},
    opened_at: earlier,
    time_opened: earlier,
    time_acknowledged: null,
    acknowledged_by: null,
    time_closed: null,
    closed_by: null,
    closed_by_person: null,
    close_reason: null,
    automated_response_at: null,
    assignee: null,
    tags: [],
    event_count: 0,
    time_updated: earlier,
    search_text: '',
    policy_origin: null,
    respond_by: null,
    resolve_by: null,
    waiting_since: null,
    clock_stood_s: 0,
    clock_next_at: null,
    escalations: 0,
    request_hash: null,
    ...parts,
  };
}

const closed = {
  status: 'closed',
  time_closed: earlier,
  closed_by: 'grace@example.com',
  closed_by_person: true,
  close_reason: 'benign',
} as const;

function stateOf(status: CaseStatus): CaseRow {
  return row(status === 'closed' ? closed : { status });
}

function texts(change: ReturnType<typeof planCaseUpdate>): string[] {
  return change.entries.map((entry) => `${entry.kind}: ${entry.text}`);
}

describe('status', () => {
  test('every pair of statuses is either in the table, no change, or refused', () => {
    const outcomes = caseStatuses.flatMap((from) =>
      caseStatuses.map((to) => {
        const reason = to === 'closed' ? { close_reason: 'benign' as const } : {};
        try {
          const change = planCaseUpdate(stateOf(from), { alert_status: to, ...reason }, ada);
          return `${from} -> ${to}: ${change.entries[0]?.text ?? 'nothing'}`;
        } catch (error) {
          return `${from} -> ${to}: ${String(Object(error).code)}`;
        }
      }),
    );
    expect(outcomes).toEqual([
      'open -> open: nothing',
      'open -> acknowledged: Acknowledged',
      'open -> closed: Closed as benign',
      'acknowledged -> open: Set back to open',
      'acknowledged -> acknowledged: nothing',
      'acknowledged -> closed: Closed as benign',
      'closed -> open: Reopened',
      'closed -> acknowledged: CASE_TRANSITION_REFUSED',
      'closed -> closed: nothing',
    ]);
  });

  test('the first acknowledgement counts, later ones do not move it', () => {
    const first = planCaseUpdate(row(), { alert_status: 'acknowledged' }, ada);
    expect(first.set).toMatchObject({ time_acknowledged: at, acknowledged_by: 'ada@example.com' });
    const seen = row({ time_acknowledged: earlier, acknowledged_by: 'grace@example.com' });
    expect(planCaseUpdate(seen, { alert_status: 'acknowledged' }, ada).set).toEqual({ status: 'acknowledged' });
  });

  test('opening takes an acknowledgement back only where that very one is meant, by whoever gave it', () => {
    const own = { time_acknowledged: earlier, acknowledged_by: ada.username };
    const context = { ...ada, takesBack: { acknowledgedAt: earlier.toISOString() } };
    const opened = { alert_status: 'open' } as const;
    for (const of of [row({ ...own, status: 'acknowledged' }), row({ ...closed, ...own })]) {
      const change = planCaseUpdate(of, opened, context);
      expect(change.set).toMatchObject({ status: 'open', time_acknowledged: null, acknowledged_by: null });
      expect(change.entries).toMatchObject([{ kind: 'status_changed', data: { unacknowledged: true } }]);
      expect(planCaseUpdate(of, opened, ada).set).not.toHaveProperty('time_acknowledged');
    }
    const conflict = expect.objectContaining({ code: 'CONFLICT' });
    const others = row({ ...own, status: 'acknowledged', acknowledged_by: 'grace@example.com' });
    expect(() => planCaseUpdate(others, opened, context)).toThrow(conflict);
    const later = row({ ...own, status: 'acknowledged', time_acknowledged: at });
    expect(() => planCaseUpdate(later, opened, context)).toThrow(conflict);
    expect(() => planCaseUpdate(later, opened, { ...ada, takesBack: { acknowledgedAt: undefined } })).toThrow(conflict);
  });

  test('closing a case nobody acknowledged acknowledges it; automation acknowledges nothing', () => {
    const update = { alert_status: 'closed', close_reason: 'true_positive' } as const;
    expect(planCaseUpdate(row(), update, ada).set).toEqual({
      status: 'closed',
      time_closed: at,
      closed_by: 'ada@example.com',
      closed_by_person: true,
      close_reason: 'true_positive',
      time_acknowledged: at,
      acknowledged_by: 'ada@example.com',
    });
    const automation = planCaseUpdate(row(), update, { username: 'system', byPerson: false, at });
    expect(automation.set).toMatchObject({ closed_by_person: false, closed_by: 'system' });
    expect(automation.set).not.toHaveProperty('time_acknowledged');
  });

  test('reopening clears what closing set', () => {
    expect(planCaseUpdate(row(closed), { alert_status: 'open' }, ada).set).toEqual({
      status: 'open',
      time_closed: null,
      closed_by: null,
      closed_by_person: null,
      close_reason: null,
    });
  });

  test('a close reason belongs to a closed case; there it can be corrected', () => {
    expect(() => planCaseUpdate(row(), { close_reason: 'benign' }, ada)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    );
    expect(() => planCaseUpdate(row(closed), { alert_status: 'open', close_reason: 'benign' }, ada)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    );
    expect(texts(planCaseUpdate(row(closed), { close_reason: 'false_positive' }, ada))).toEqual([
      'status_changed: Close reason changed to false positive',
    ]);
  });
});

test('several changes at once are told one by one, in plain words', () => {
  const before = row({ tags: ['vpn', 'old'], assignee: 'grace@example.com' });
  const change = planCaseUpdate(
    before,
    {
      alert_status: 'acknowledged',
      alert_severity: 'critical',
      assignee: null,
      tags: ['vpn', 'new', 'new'],
      comment: 'Called the owner.',
    },
    ada,
  );
  expect(texts(change)).toEqual([
    'status_changed: Acknowledged',
    'severity_changed: Severity changed from low to critical',
    'assigned: Assignment removed',
    'tagged: Tags added: new; removed: old',
    'commented: Called the owner.',
  ]);
  expect(change.set).toMatchObject({ severity: 'critical', severity_rank: 3, assignee: null, tags: ['vpn', 'new'] });
});

test('what is as asked already changes and tells nothing', () => {
  const before = row({ tags: ['vpn'], assignee: 'grace@example.com', severity: 'high' });
  const update = {
    alert_severity: 'high',
    assignee: 'grace@example.com',
    tags: ['vpn'],
    alert_status: 'open',
  } as const;
  expect(planCaseUpdate(before, { ...update, tags: [...update.tags] }, ada)).toEqual({ set: {}, entries: [] });
});

describe('what the person saw', () => {
  const conflict = (message: string) => expect.objectContaining({ code: 'CONFLICT', message });
  const plan = (now: Partial<CaseRow>, update: Parameters<typeof planCaseUpdate>[1]) =>
    planCaseUpdate(row(now), update, ada);

  test('decides only as long as it is still so: the first writer stays', () => {
    expect(() => plan({ severity: 'high' }, { alert_severity: 'medium', seen: { alert_severity: 'low' } })).toThrow(
      conflict('This case changed in the meantime: severity.'),
    );
    expect(() =>
      plan(
        { tags: ['vpn'], assignee: 'grace@example.com' },
        {
          tags: ['mail'],
          assignee: 'ada@example.com',
          seen: { tags: [], assignee: null },
        },
      ),
    ).toThrow(conflict('This case changed in the meantime: assignment, tags.'));
  });

  test('of other parts than those changed is no conflict', () => {
    const change = plan(
      { tags: ['vpn'] },
      { alert_severity: 'high', comment: 'Worse.', seen: { alert_severity: 'low' } },
    );
    expect(texts(change)).toEqual(['severity_changed: Severity changed from low to high', 'commented: Worse.']);
  });

  test('does not refuse a call repeated after a lost answer', () => {
    const seen = { alert_severity: 'low', tags: ['vpn'] } as const;
    const again = plan(
      { severity: 'high', tags: ['a', 'b'] },
      { alert_severity: 'high', tags: ['b', 'a'], seen: { ...seen, tags: [...seen.tags] } },
    );
    expect(again.entries).toEqual([]);
  });

  test('the reason of a case somebody else closed is not replaced by who wanted to close it too', () => {
    const update = { alert_status: 'closed', seen: { alert_status: 'open', close_reason: null } } as const;
    expect(() => plan(closed, { ...update, close_reason: 'false_positive' })).toThrow(
      conflict('This case changed in the meantime: status, close reason.'),
    );
    expect(plan(closed, { ...update, close_reason: 'benign' }).entries).toEqual([]);
  });
});
