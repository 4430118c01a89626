/**
 * Once a minute: counts which runs began in time, and tells the Admins of the provider when a promise of the installation is
 * being broken and when it is kept again. An alert is a row, written and taken away in the transaction that tells it, so each
 * is told once whatever number of processes look.
 *
 * It runs on the workers it looks at. While all of them are away only that is told (stalled-work-watch.ts); the first one back
 * counts what was missed.
 */
import { type ObjectiveId, objectiveIds, objectives } from '@airdeck/contracts/operations/objectives';
import type { JobHandler } from '@airdeck/engine/interfaces';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import { burningNow } from './objective-burn.ts';
import {
  alertsNow,
  endAlert,
  lastMinute,
  listProviders,
  lockAlerts,
  putAlert,
  runBeginnings,
  setMinutes,
  talliesOf,
} from './objective-repository.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The longest an alert that wakes somebody looks back. */
const LOOK_BACK_MS = 6 * HOUR_MS;
/** In one transaction: of a long outage what was counted is kept when the job runs out of time. */
const AT_ONCE_MS = HOUR_MS;

export const OBJECTIVES_JOB = { kind: 'operations.objectives', expression: '23 * * * * *' } as const;

type Dependencies = { db: Pick<Database, 'system'>; notices: Pick<Notices, 'tell'>; now: () => Date };

export function createObjectivesJob(deps: Dependencies): JobHandler {
  return {
    timeoutMs: 50_000,
    async run() {
      await countBeginnings(deps);
      await deps.db.system((tx) => tellChanges(deps, tx));
    },
  };
}

/**
 * Of every whole minute since the last that was counted, and of that one again: what was started at its end may not have had
 * its time. Looking twice changes nothing.
 */
async function countBeginnings({ db, now }: Dependencies): Promise<void> {
  const end = Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS;
  const last = await db.system((tx) => lastMinute(tx, 'runs_begin', new Date(end)));
  const start = Math.max(last?.getTime() ?? 0, end - LOOK_BACK_MS);
  for (let from = start; from < end; from += AT_ONCE_MS) {
    const between = { from: new Date(from), until: new Date(Math.min(from + AT_ONCE_MS, end)) };
    await db.system((tx) => countBetween(tx, between));
  }
}

/** The last minute gets its row also when nothing was started in it: from there the next look goes on. */
async function countBetween(tx: Tx, between: { from: Date; until: Date }): Promise<void> {
  const counts = await runBeginnings(tx, between, objectives.runs_begin.withinMs);
  const last = between.until.getTime() - MINUTE_MS;
  if (!counts.some(({ minute }) => minute.getTime() === last)) counts.push({ minute: new Date(last), good: 0, bad: 0 });
  await setMinutes(
    tx,
    counts.map((count) => ({ objective: 'runs_begin', ...count })),
  );
}

/** News is what begins, gets worse or is over; what only gets better is over soon or is not. */
async function tellChanges(deps: Dependencies, tx: Tx): Promise<void> {
  const at = deps.now();
  await lockAlerts(tx);
  const told = await alertsNow(tx);
  const tallies = await talliesOf(tx, at);
  for (const objective of objectiveIds) {
    const before = told.get(objective)?.severity;
    const severity = burningNow(objective, tallies.get(objective) ?? new Map());
    if (severity === before) continue;
    if (severity === undefined) await endAlert(tx, objective);
    else await putAlert(tx, objective, severity, at);
    if (severity !== 'slow' || before === undefined) {
      await tellProviders(deps, tx, { objective, isKept: severity === undefined });
    }
  }
}

async function tellProviders(
  { notices }: Dependencies,
  tx: Tx,
  change: { objective: ObjectiveId; isKept: boolean },
): Promise<void> {
  for (const tenant of await listProviders(tx)) {
    await notices.tell(tx, { kind: 'objective_missed', tenant, ...change });
  }
}
