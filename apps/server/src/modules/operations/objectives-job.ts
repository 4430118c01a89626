/**
 * Once a minute: counts which runs began in time, and tells the Admins of the provider when a promise of the installation is
 * being broken and when it is kept again. An alert is a row, written and taken away in the transaction that tells it, so each
 * is told once whatever number of processes look.
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
  listProviders,
  lockAlerts,
  putAlert,
  runBeginnings,
  setMinute,
  talliesOf,
} from './objective-repository.ts';

const MINUTE_MS = 60_000;

export const OBJECTIVES_JOB = { kind: 'operations.objectives', expression: '23 * * * * *' } as const;

type Dependencies = { db: Pick<Database, 'system'>; notices: Pick<Notices, 'tell'>; now: () => Date };

export function createObjectivesJob(deps: Dependencies): JobHandler {
  return {
    timeoutMs: 50_000,
    async run() {
      await deps.db.system((tx) => countBeginnings(deps, tx));
      await deps.db.system((tx) => tellChanges(deps, tx));
    },
  };
}

/** Of the minute before this one: what was started in it has had its time. Looking at it twice changes nothing. */
async function countBeginnings({ now }: Dependencies, tx: Tx): Promise<void> {
  const until = new Date(Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS);
  const from = new Date(until.getTime() - MINUTE_MS);
  const tally = await runBeginnings(tx, { from, until }, objectives.runs_begin.withinMs);
  if (tally.good + tally.bad > 0) await setMinute(tx, { objective: 'runs_begin', minute: from, ...tally });
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
