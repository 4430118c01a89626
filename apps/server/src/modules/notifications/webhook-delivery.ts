/**
 * Webhooks to the addresses people have entered.
 *
 * A call is leased (its row gets a later due time and a higher attempt), made, and ended or put back. A crash in between
 * leaves the row to whoever comes after the lease, so a receiver may see a call twice and tells them apart by the id in
 * the header. One call per person at a time: an address that hangs holds up its owner only.
 */
import type { Egress, EgressResponse } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import type { Told } from '@airdeck/contracts/filled-text';
import type { Database } from '../../storage/database.ts';
import { addressOfWebhook, forgetFailure, noteFailure } from './channel-failures.ts';
import { namingTenant } from './dashboard-links.ts';
import {
  type DeliveryRow,
  endWebhook,
  findRecipient,
  findWebhookKey,
  isStillFor,
  leaseWebhooks,
  repeatWebhook,
} from './delivery-repository.ts';
import { quietUntil } from './delivery-time.ts';
import { inNameOf } from './in-name-of.ts';
import { isPassing, isTaken, refusalOf } from './receiver-answer.ts';
import { type WebhookSecrets, webhookSignature } from './webhook-signature.ts';

const CALLS_AT_ONCE = 8;
const TIMEOUT_MS = 10_000;
/** Longer than a call takes with everything around it. */
const LEASE_MS = 60_000;
/** Before the second and the third attempt; there is no fourth. */
const PAUSES_MS = [60_000, 300_000] as const;
const PAUSE_MAX_MS = 3_600_000;

type Dependencies = {
  db: Pick<Database, 'system'>;
  egress: Egress;
  secrets: WebhookSecrets;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

export type WebhookDelivery = {
  /** Begins as many calls as there is room for; false when none was due. Resolves when one of them has ended. */
  round(signal: AbortSignal): Promise<boolean>;
  /** Resolves when no call is under way any more. */
  settled(): Promise<void>;
};

export function createWebhookDelivery(deps: Dependencies): WebhookDelivery {
  const running = new Map<string, Promise<void>>();

  return {
    async round(signal) {
      const at = deps.now();
      // Whoever was busy when we looked may have more, although the call has ended meanwhile.
      const wasBusy = running.size > 0;
      const rows = await deps.db.system((tx) =>
        leaseWebhooks(tx, {
          at,
          leaseUntil: new Date(at.getTime() + LEASE_MS),
          limit: CALLS_AT_ONCE - running.size,
          busy: [...running.keys()],
        }),
      );
      for (const row of rows) {
        const call = deliver(deps, row, signal)
          .catch((error: unknown) => deps.log.warn({ error: String(error) }, 'a webhook is left to the next attempt'))
          .finally(() => running.delete(row.user_id));
        running.set(row.user_id, call);
      }
      if (running.size > 0) await Promise.race(running.values());
      return rows.length > 0 || wasBusy;
    },
    async settled() {
      await Promise.all(running.values());
    },
  };
}

async function deliver(deps: Dependencies, row: DeliveryRow, signal: AbortSignal): Promise<void> {
  const found = await deps.db.system(async (tx) => {
    const recipient = await findRecipient(tx, row.user_id);
    const url = recipient?.preferences?.webhook_url ?? null;
    if (!recipient?.preferences || url === null || !isStillFor(recipient, row)) return undefined;
    const { preferences, timeZone } = recipient;
    return { url, version: await findWebhookKey(tx, row.user_id), reader: { preferences, timeZone } };
  });
  if (found === undefined) {
    await deps.db.system((tx) => endWebhook(tx, row));
    return;
  }
  const quiet = (at: Date) => (row.kind === 'account_security' ? undefined : quietUntil(at, found.reader));
  // Quiet hours may have been set, or moved, while it waited: nothing is called, so nothing counts as an attempt.
  const until = quiet(deps.now());
  if (until !== undefined) {
    return await deps.db.system((tx) => repeatWebhook(tx, row, { dueAt: until, attempts: row.attempts - 1 }));
  }
  const outcome = await call(deps, row, { ...found, signal });
  if (outcome === 'stopped') return;
  await deps.db.system(async (tx) => {
    if (outcome === 'done' || 'told' in outcome) {
      // First, and it locks the row: an account that is erased meanwhile takes away what is noted here, or has nothing to end.
      if ((await endWebhook(tx, row)) === 0) return;
      const of = { userId: row.user_id, channel: 'webhook', address: addressOfWebhook(found.url) } as const;
      if (outcome === 'done') return await forgetFailure(tx, of);
      return await noteFailure(tx, { ...of, at: deps.now(), told: outcome.told });
    }
    const dueAt = new Date(deps.now().getTime() + outcome.afterMs);
    await repeatWebhook(tx, row, { dueAt: quiet(dueAt) ?? dueAt, attempts: row.attempts });
  });
}

/** `told`: given up, and why. */
type Outcome = 'done' | 'stopped' | { afterMs: number } | { told: Told };
type Target = { url: string; version: string | undefined; signal: AbortSignal };

async function call(deps: Dependencies, row: DeliveryRow, { url, version, signal }: Target): Promise<Outcome> {
  const { event_id: id, tenant_id: tenant, kind, title, text, link, created_at: createdAt } = row;
  const address = link === null ? null : `${deps.ownAddress()}${namingTenant(link, tenant)}`;
  const said = { id, kind, tenant, title, text, link, url: address, created_at: createdAt.toISOString() };
  const secret = deps.secrets.secretOf(row.user_id, version);
  try {
    const answer = await postToWebhook(deps, { userId: row.user_id, url, secret, said, signal });
    if (isTaken(answer)) return 'done';
    const failure = { code: `HTTP_${answer.status}`, told: refusalOf(answer), retryable: isPassing(answer), answer };
    return afterFailure(deps, row, failure);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (signal.aborted) return 'stopped';
    return afterFailure(deps, row, error);
  }
}

type Call = { userId: string; url: string; secret: string; said: { id: string }; signal: AbortSignal };

export function postToWebhook(
  { egress, now }: Pick<Dependencies, 'egress' | 'now'>,
  { userId, url, secret, said, signal }: Call,
): Promise<EgressResponse> {
  const body = JSON.stringify(said);
  const signature = webhookSignature(secret, { body, at: now() });
  const headers = { 'content-type': 'application/json', 'x-air-delivery': said.id, 'x-air-signature': signature };
  const tenant = inNameOf(userId);
  return egress.request({ tenant, method: 'POST', url, headers, body, signal, timeoutMs: TIMEOUT_MS });
}

function afterFailure(
  { log }: Dependencies,
  row: DeliveryRow,
  failure: { code: string; told: Told; retryable: boolean; answer?: EgressResponse },
): Outcome {
  const pauseMs = PAUSES_MS[row.attempts - 1];
  if (failure.retryable && pauseMs !== undefined) {
    const askedMs = (failure.answer?.retryAfterS ?? 0) * 1000;
    return { afterMs: Math.min(Math.max(pauseMs, askedMs), PAUSE_MAX_MS) };
  }
  // By whom and why; the address may carry what only its owner should know.
  log.warn({ user: row.user_id, event: row.event_id, code: failure.code, attempts: row.attempts }, 'webhook given up');
  return { told: failure.told };
}
