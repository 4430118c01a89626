/**
 * Compiled policies of each tenant, in the memory of one process.
 *
 * Fresh: used as it is. Stale (announced as changed, or not looked at for CHECK_AFTER_MS): the version in the database
 * is compared; the set is compiled anew only when it differs. An announcement that arrives while a set loads makes what
 * was loaded stale again, so a change is never missed for longer than CHECK_AFTER_MS, even without announcements.
 *
 * Beyond POLICIES_MAX the sets that were not asked for longest are forgotten, never the one just loaded: those of all
 * customers of a provider may be more than the memory of the process holds. Asked for again they are loaded as at first.
 */
import { type CompiledPolicySet, compilePoliciesGivingWay, type PolicySource } from '@airdeck/detection/policy-set';
import { inSlices } from '../../loop-share.ts';
import type { LoadPolicies } from './detection-port.ts';

const CHECK_AFTER_MS = 5_000;
const NEVER = Number.NEGATIVE_INFINITY;
/** Some 7 kB each. */
const POLICIES_MAX = 60_000;

export type PolicyCache = {
  setOf(tenant: string): Promise<CompiledPolicySet>;
  markStale(tenant: string): void;
  markAllStale(): void;
};

type Entry = { version: number; set: CompiledPolicySet; checkedAt: number };

export function createPolicyCache(deps: {
  load: LoadPolicies;
  now: () => Date;
  log: { warn(fields: Record<string, unknown>, message: string): void };
  /** For tests. */
  policiesMax?: number;
}): PolicyCache {
  const { policiesMax = POLICIES_MAX } = deps;
  /** Those not asked for longest first. */
  const entries = new Map<string, Entry>();
  let held = 0;
  const loading = new Map<string, Promise<CompiledPolicySet>>();
  // Counts announcements, so that a load can see whether one came while it ran.
  let announcements = 0;

  async function refresh(tenant: string): Promise<CompiledPolicySet> {
    const checkedAt = deps.now().getTime();
    const known = entries.get(tenant);
    const announcementsBefore = announcements;
    const loaded = await deps.load(tenant, known?.version);
    const set =
      known !== undefined && loaded.rules === undefined ? known.set : await compiled(tenant, loaded.rules ?? []);
    const entry: Entry = { version: loaded.version, set, checkedAt };
    forget(tenant);
    held += roomOf(entry);
    entries.set(tenant, announcements === announcementsBefore ? entry : { ...entry, checkedAt: NEVER });
    for (const other of entries.keys()) {
      if (held <= policiesMax || other === tenant) break;
      forget(other);
    }
    return entry.set;
  }

  function forget(tenant: string): void {
    const known = entries.get(tenant);
    if (known === undefined) return;
    entries.delete(tenant);
    held -= roomOf(known);
  }

  async function compiled(tenant: string, rules: readonly PolicySource[]): Promise<CompiledPolicySet> {
    const set = await compilePoliciesGivingWay(rules, inSlices());
    for (const problem of set.problems)
      deps.log.warn({ tenant, ...problem }, 'a policy does not compile and is skipped');
    return set;
  }

  return {
    setOf(tenant) {
      const known = entries.get(tenant);
      const age = known === undefined ? Number.POSITIVE_INFINITY : deps.now().getTime() - known.checkedAt;
      // A clock that was set back makes an age negative: look again.
      if (known !== undefined && age >= 0 && age < CHECK_AFTER_MS) {
        entries.delete(tenant);
        entries.set(tenant, known);
        return Promise.resolve(known.set);
      }
      const running = loading.get(tenant);
      if (running !== undefined) return running;
      const started = refresh(tenant).finally(() => {
        if (loading.get(tenant) === started) loading.delete(tenant);
      });
      loading.set(tenant, started);
      return started;
    },
    markStale(tenant) {
      announcements += 1;
      const known = entries.get(tenant);
      if (known !== undefined) known.checkedAt = NEVER;
      loading.delete(tenant);
    },
    markAllStale() {
      announcements += 1;
      for (const entry of entries.values()) entry.checkedAt = NEVER;
      loading.clear();
    },
  };
}

/** The set itself counts as one, as a tenant without policies has one too. */
function roomOf({ set }: Entry): number {
  return set.size + 1;
}
