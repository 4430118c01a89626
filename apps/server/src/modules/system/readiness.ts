import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '@airdeck/contracts/system/schema';
import type { Config } from '../../config/config.ts';

/** Rejects while what it asks is not there. */
type Check = () => Promise<void>;
type CheckName = 'database' | 'events' | 'disk';

/**
 * Without which a process has nothing to offer to whoever a balancer sends it. Whatever else is away it says, and stays: all
 * processes see the same store go, and a balancer that loses all of them at once gives calls to nobody.
 *
 * - People sign in, work on cases and stop automation with the database alone; what needs events says so itself (503).
 * - `ingest` writes lines of syslog to its own disk until the stores are back, and tells senders over HTTP when to come again.
 * - A `worker` gets no calls. Its answer holds back the replacement of the next one, so it asks for all it works with.
 */
const needed = {
  all: ['database'],
  api: ['database'],
  worker: ['database', 'events'],
  ingest: [],
} as const satisfies Record<Config['role'], readonly CheckName[]>;

/** Well within the five seconds that probes wait (deploy/): a store that hangs would decide by its silence otherwise. */
const CHECK_WITHIN_MS = 3_000;

export type ReadinessDependencies = {
  role: Config['role'];
  checks: Readonly<Record<CheckName, Check>>;
  log: { warn(fields: object, message: string): void };
  /** Default: three seconds. */
  checkWithinMs?: number;
};

/** How each store is, and whether a process of this role can do its part. */
export async function askReadiness(deps: ReadinessDependencies): Promise<Readiness> {
  const names = Object.keys(deps.checks) as CheckName[];
  const checks = await Promise.all(names.map((name) => outcome(deps, name)));
  return { ready: checks.every(({ name, ok }) => ok || !isNeeded(deps.role, name)), checks };
}

function isNeeded(role: Config['role'], name: CheckName): boolean {
  return (needed[role] as readonly CheckName[]).includes(name);
}

/** Anybody may ask, so only the fact is told; the reason goes to the log. */
async function outcome(deps: ReadinessDependencies, name: CheckName) {
  const { role, checks, log, checkWithinMs = CHECK_WITHIN_MS } = deps;
  const answered = new AbortController();
  const late = sleep(checkWithinMs, undefined, { signal: answered.signal }).then(() => {
    throw new Error(`no answer within ${checkWithinMs} ms`);
  });
  try {
    await Promise.race([checks[name](), late]);
    return { name, ok: true, message: 'reachable' };
  } catch (error) {
    const fields = { check: name, error: error instanceof Error ? error.message : String(error) };
    log.warn(fields, isNeeded(role, name) ? 'not ready' : 'ready without it');
    return { name, ok: false, message: 'not reachable' };
  } finally {
    answered.abort();
  }
}
