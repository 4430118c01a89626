import type { Config } from '../../apps/server/src/config/config.ts';
import { askStalledWork, type WorkSeen } from '../../apps/server/src/modules/operations/ask-stalled-work.ts';
import { SYSTEM_ROLE } from '../../apps/server/src/storage/roles.ts';
import { sqlStateOf } from '../../apps/server/src/storage/sql-state.ts';
import { type Finding, found } from './finding.ts';

const NOT_ALLOWED = '42501';

type Place = {
  databaseUrl: string;
  role: Config['role'];
  /** A process runs on this data folder. */
  isRunning: boolean;
  /** For tests. */
  ask?: (databaseUrl: string) => Promise<WorkSeen | undefined>;
};

/** Whether somebody takes up the work that is due, where processes share a database: while all workers are away nothing fails. */
export async function checkWork({ databaseUrl, role, isRunning, ask = askStalledWork }: Place): Promise<Finding[]> {
  let seen: WorkSeen | undefined;
  try {
    seen = await ask(databaseUrl);
  } catch (error) {
    if (sqlStateOf(error) === NOT_ALLOWED) {
      return [found('work', `The login of DATABASE_URL has to be a member of ${SYSTEM_ROLE}.`, '')];
    }
    // A database that does not answer is a finding of its own, with the reason.
    return [];
  }
  if (seen === undefined) return [];
  const { stalled, processes } = seen;
  if (stalled === null) return [found('work', undefined, 'workers take up what is due')];
  const { due, since, workers } = stalled;
  const waits = `${due} ${due === 1 ? 'job or schedule is' : 'jobs and schedules are'} due, the oldest since ${since}, and no worker takes them up`;
  if (workers > 0) {
    const those = workers === 1 ? 'The one worker that runs takes' : `The ${workers} workers that run take`;
    return [found('work', `${waits}. ${those} nothing: bring all processes to one release, or start them anew.`, '')];
  }
  const startsOne = !isRunning && (role === 'worker' || role === 'all');
  if (startsOne) return [found('work', undefined, `${waits}: this one will, once it is started`)];
  // Where everything stands still, that is no finding.
  if (processes === 0) return [found('work', undefined, `${waits}: no process of the installation runs`)];
  return [found('work', `${waits}: none runs. Start a process with ROLE=worker.`, '')];
}
