import type { PolicyPublished } from '@airdeck/contracts/policies/schema';
import { confirmed } from '../../../components/confirmation/use-confirmed-mutation.ts';
import type { TenantApi } from '../../../lib/tenant-api.ts';
import { publishPortion } from '../../../queries/policies.ts';

export type PublishedTo = PolicyPublished['tenants'][number];

type Run = {
  id: string;
  tenants: readonly string[];
  /** Whether copies that are new to a customer are switched on. */
  enabled: boolean;
  signal: AbortSignal;
  /** After each portion: what came of all so far. */
  onProgress: (done: readonly PublishedTo[]) => void;
};

/** What one call takes, and how many calls a minute the server takes with some to spare. */
const PORTION_MAX = 200;
const CALLS_MAX = 15;
const PORTION_MIN = 10;

/** Portions large enough that all of them fit into the minute, small enough that progress shows. */
export function portionsOf(tenants: readonly string[]): string[][] {
  const size = Math.min(PORTION_MAX, Math.max(PORTION_MIN, Math.ceil(tenants.length / CALLS_MAX)));
  const count = Math.ceil(tenants.length / size);
  return Array.from({ length: count }, (_, index) => tenants.slice(index * size, (index + 1) * size));
}

/** One portion after the other, each with its own question where the policy would match too much; what was published before a failure stays published. */
export async function runPublish(tenantApi: TenantApi, { id, tenants, enabled, signal, onProgress }: Run) {
  const done: PublishedTo[] = [];
  for (const portion of portionsOf(tenants)) {
    const answer = await confirmed((controls) =>
      publishPortion(tenantApi, { id, tenants: portion, enabled }, { ...controls, signal }),
    );
    done.push(...answer.tenants);
    onProgress([...done]);
  }
  return done;
}
