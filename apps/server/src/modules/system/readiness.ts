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

/** Below the two seconds between two looks of a probe (deploy/), which would hear the same answer twice otherwise. */
const KEPT_MS = 1_000;

export type ReadinessDependencies = {
  role: Config['role'];
  checks: Readonly<Record<CheckName, Check>>;
  log: { warn(fields: object, message: string): void; info(fields: object, message: string): void };
  /** Only ever grows. */
  nowMs: () => number;
  /** Default: three seconds. */
  checkWithinMs?: number;
};

/**
 * How each store is, and whether a process of this role can do its part. Anybody may ask, and is not counted: so there is one
 * look under way at most, all get its answer for a second more, and the log has a line when a store goes and one when it is back.
 */
export function createReadiness(deps: ReadinessDependencies): () => Promise<Readiness> {
  const names = Object.keys(deps.checks) as CheckName[];
  const away = new Set<CheckName>();
  let looking: Promise<Readiness> | undefined;
  let seen: { readiness: Readiness; untilMs: number } | undefined;

  async function look(): Promise<Readiness> {
    const checks = await Promise.all(
      names.map(async (name) => {
        const problem = await problemOf(deps, name);
        note(name, problem);
        return { name, ok: problem === undefined, message: problem === undefined ? 'reachable' : 'not reachable' };
      }),
    );
    const readiness = { ready: checks.every(({ name, ok }) => ok || !isNeeded(deps.role, name)), checks };
    seen = { readiness, untilMs: deps.nowMs() + KEPT_MS };
    return readiness;
  }

  /** Whoever asks is told the fact only; the reason goes to the log. */
  function note(name: CheckName, problem: string | undefined): void {
    if (problem === undefined) {
      if (away.delete(name)) deps.log.info({ check: name }, 'reachable again');
    } else if (!away.has(name)) {
      away.add(name);
      deps.log.warn({ check: name, error: problem }, isNeeded(deps.role, name) ? 'not ready' : 'ready without it');
    }
  }

  return async () => {
    if (seen !== undefined && deps.nowMs() < seen.untilMs) return seen.readiness;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return await looking;
  };
}

function isNeeded(role: Config['role'], name: CheckName): boolean {
  return (needed[role] as readonly CheckName[]).includes(name);
}

/** Undefined where it is there. */
async function problemOf(deps: ReadinessDependencies, name: CheckName): Promise<string | undefined> {
  const { checks, checkWithinMs = CHECK_WITHIN_MS } = deps;
  const answered = new AbortController();
  const late = sleep(checkWithinMs, undefined, { signal: answered.signal }).then(() => {
    throw new Error(`no answer within ${checkWithinMs} ms`);
  });
  try {
    await Promise.race([checks[name](), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    answered.abort();
  }
}
