import type { CaseBulkAnswer, CaseBulkChange, CaseBulkSeen } from '@airdeck/contracts/cases/schema';
import type { CaseBulkBody } from '../../queries/cases.ts';

type Before = NonNullable<CaseBulkAnswer['results'][number]['before']>;
type Changed = { id: string; before: Before; after: Before };

/**
 * The calls that take a change back, in their order: each case gets what it had, also its time to respond, where the change
 * was the response, and its wait on the customer. Comments stay, and a case that was acknowledged before it was closed is
 * opened and acknowledged again. A case somebody has changed since is refused.
 */
export function undoSteps(change: CaseBulkChange, { results }: Pick<CaseBulkAnswer, 'results'>): CaseBulkBody[] {
  const changed = results.flatMap(({ id, before, after }) =>
    before === null || after === null ? [] : [{ id, before, after }],
  );
  return [...undoStatus(change, changed), ...undoAssignee(change, changed), ...undoTags(change, changed)];
}

function undoStatus({ alert_status: to }: CaseBulkChange, changed: readonly Changed[]): CaseBulkBody[] {
  if (to === undefined || to === 'open') return [];
  const moved = changed.filter(({ before }) => before.alert_status !== to);
  const acknowledged = moved.filter(({ before }) => before.alert_status === 'acknowledged');
  const seenOf = (one: Changed) => ({
    alert_status: one.after.alert_status,
    ...(isResponse(one) ? { time_acknowledged: one.after.time_acknowledged } : {}),
  });
  return [
    ...stepsBack(moved, openingOf, seenOf),
    // Of those the step before has opened.
    ...(to === 'closed' ? step(acknowledged, { alert_status: 'acknowledged' }, () => ({ alert_status: 'open' })) : []),
  ];
}

function openingOf(one: Changed): CaseBulkChange {
  const endedWait = typeof one.before.waiting_since === 'string' && one.after.waiting_since === null;
  return {
    alert_status: 'open',
    ...(isResponse(one) ? { unacknowledge: true } : {}),
    ...(endedWait ? { waiting_on_customer: true } : {}),
  };
}

/** Nobody had responded before. A server of the release before does not say. */
function isResponse<One extends Changed>(one: One): one is One & { after: { time_acknowledged: string } } {
  return one.before.time_acknowledged === null && typeof one.after.time_acknowledged === 'string';
}

function undoAssignee({ assignee: to }: CaseBulkChange, changed: readonly Changed[]): CaseBulkBody[] {
  if (to === undefined) return [];
  const moved = changed.filter(({ before }) => before.assignee !== to);
  const groups = grouped(moved, ({ before }) => before.assignee);
  return [...groups].flatMap(([assignee, cases]) =>
    step(cases, { assignee }, ({ after }) => ({ assignee: after.assignee })),
  );
}

function undoTags({ add_tags = [], remove_tags = [] }: CaseBulkChange, changed: readonly Changed[]): CaseBulkBody[] {
  const backOf = ({ before }: Changed) => ({
    remove_tags: add_tags.filter((tag) => !before.tags.includes(tag)),
    add_tags: remove_tags.filter((tag) => before.tags.includes(tag)),
  });
  const retagged = changed.filter((one) => {
    const back = backOf(one);
    return back.remove_tags.length + back.add_tags.length > 0;
  });
  return stepsBack(retagged, backOf);
}

type Seen = Omit<CaseBulkSeen, 'id'>;

/** One call for all cases that go back alike. */
function stepsBack(
  cases: readonly Changed[],
  backOf: (one: Changed) => CaseBulkChange,
  seenOf?: (one: Changed) => Seen,
): CaseBulkBody[] {
  const groups = grouped(cases, (one) => JSON.stringify(backOf(one)));
  return [...groups.values()].flatMap((alike) => alike.slice(0, 1).flatMap((one) => step(alike, backOf(one), seenOf)));
}

function step(cases: readonly Changed[], change: CaseBulkChange, seenOf?: (one: Changed) => Seen): CaseBulkBody[] {
  if (cases.length === 0) return [];
  const seen = seenOf === undefined ? {} : { seen: cases.map((one) => ({ id: one.id, ...seenOf(one) })) };
  return [{ cases: cases.map(({ id }) => id), change, ...seen }];
}

function grouped<Key>(cases: readonly Changed[], keyOf: (one: Changed) => Key): Map<Key, Changed[]> {
  const groups = new Map<Key, Changed[]>();
  for (const one of cases) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
