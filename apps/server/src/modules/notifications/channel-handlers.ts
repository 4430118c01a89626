/** Where a person's notifications go outside of the app, and a test of it. Only for people: a key must not redirect them. */
import type { Egress, EgressResponse } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { SecretError, type SecretVault } from '@airdeck/connector-kit/secrets';
import type { Told } from '@airdeck/contracts/filled-text';
import { AppError } from '../../http/app-error.ts';
import type { Caller, Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import { forgetFailure, listFailures } from './channel-failures.ts';
import { findRecipient, findWebhookKey } from './delivery-repository.ts';
import { isTaken, refusalOf } from './receiver-answer.ts';
import { findSlack, onWire, openSlack, putSlack, removeSlack, sealSlack } from './slack-address.ts';
import { postToSlack } from './slack-delivery.ts';
import { slackTest } from './slack-message.ts';
import { postToWebhook } from './webhook-delivery.ts';
import type { WebhookSecrets } from './webhook-signature.ts';

const TESTS_PER_MINUTE = 6;
const WINDOW_MS = 60_000;
const PEOPLE_MAX = 5_000;

export type ChannelRoutes =
  | 'notifications.slack'
  | 'notifications.set-slack'
  | 'notifications.remove-slack'
  | 'notifications.test';

type Dependencies = {
  db: Pick<Database, 'system'>;
  audit: Pick<AuditLog, 'record'>;
  egress: Egress;
  vault: SecretVault;
  secrets: WebhookSecrets;
  productName: string;
  ids: () => string;
  now: () => Date;
};

export function channelHandlers(deps: Dependencies): Handlers<ChannelRoutes> {
  const { db, audit } = deps;
  const mayTest = testLimit(deps.now);

  return {
    'notifications.slack': (_request, { caller: { userId } }) =>
      db.system(async (tx) => ({
        slack: onWire(await findSlack(tx, userId)),
        failures: await listFailures(tx, userId),
      })),
    'notifications.set-slack': async ({ body }, { caller, requestId }) => {
      requirePerson(caller);
      const row = await sealSlack(deps.vault, { userId: caller.userId, url: body.url });
      return await db.system(async (tx) => {
        await putSlack(tx, row);
        await audit.record(tx, recordOf(caller, requestId, { action: 'slack_address.set', data: { host: row.host } }));
        return { slack: onWire(row), failures: await listFailures(tx, caller.userId) };
      });
    },
    'notifications.remove-slack': async (_request, { caller, requestId }) => {
      requirePerson(caller);
      await db.system(async (tx) => {
        if (!(await removeSlack(tx, caller.userId))) return;
        await audit.record(tx, recordOf(caller, requestId, { action: 'slack_address.remove' }));
      });
      return undefined;
    },
    'notifications.test': async ({ body }, { caller, signal }) => {
      requirePerson(caller);
      if (!mayTest(caller.userId)) throw new AppError('RATE_LIMITED', { retryAfterS: WINDOW_MS / 1000 });
      const { channel } = body;
      const outcome = await tested(() =>
        channel === 'slack' ? testSlack(deps, caller) : testWebhook(deps, caller, signal),
      );
      if (outcome.ok) await db.system((tx) => forgetFailure(tx, { userId: caller.userId, channel }));
      return outcome;
    },
  };
}

type Tested = { ok: boolean } & Told;

async function tested(send: () => Promise<EgressResponse | undefined>): Promise<Tested> {
  try {
    const answer = await send();
    if (answer === undefined) return { ok: false, message: 'No address is saved.' };
    return isTaken(answer) ? { ok: true, message: 'The test was accepted.' } : { ok: false, ...refusalOf(answer) };
  } catch (error) {
    if (error instanceof SecretError) return { ok: false, message: 'The address could not be opened. Set it again.' };
    // Its text names host and reason, never the rest of the address.
    if (error instanceof EgressError) return { ok: false, ...error.told };
    throw error;
  }
}

async function testSlack(deps: Dependencies, { userId }: Caller) {
  const slack = await deps.db.system((tx) => findSlack(tx, userId));
  if (slack === undefined) return undefined;
  const url = await openSlack(deps.vault, slack);
  return await postToSlack(deps, { userId, url, body: slackTest(deps.productName) });
}

async function testWebhook(deps: Dependencies, { userId }: Caller, signal: AbortSignal) {
  const found = await deps.db.system(async (tx) => {
    const recipient = await findRecipient(tx, userId);
    const url = recipient?.preferences?.webhook_url ?? null;
    if (recipient === undefined || url === null) return undefined;
    // Every call names a tenant: a test the person's home, as notices of the account do.
    return { url, tenant: recipient.homeTenant, version: await findWebhookKey(tx, userId) };
  });
  if (found === undefined) return undefined;
  const { tenant } = found;
  const title = `${deps.productName}: this is a test`;
  const text = 'Notifications you chose for the webhook come here.';
  const about = { title, text, link: null, url: null, created_at: deps.now().toISOString() };
  const said = { id: deps.ids(), kind: 'test', tenant, ...about };
  const secret = deps.secrets.secretOf(userId, found.version);
  return await postToWebhook(deps, { userId, url: found.url, secret, said, signal });
}

function requirePerson(caller: Caller): void {
  if (caller.apiKey !== undefined) throw new AppError('ROLE_TOO_LOW');
}

function recordOf(caller: Caller, requestId: string, what: Pick<AuditEntry, 'action' | 'data'>): AuditEntry {
  const { userId, homeTenant: tenant } = caller;
  const target = { kind: 'user', id: userId } as const;
  return { tenant, actor: auditActor(caller), target, outcome: 'ok', request_id: requestId, ...what };
}

/** Each test calls an address the person chose. Per process. */
function testLimit(now: () => Date): (userId: string) => boolean {
  const windows = new Map<string, { used: number; endsAt: number }>();
  return (userId) => {
    const at = now().getTime();
    const known = windows.get(userId);
    const window = known !== undefined && known.endsAt > at ? known : { used: 0, endsAt: at + WINDOW_MS };
    if (window.used >= TESTS_PER_MINUTE) return false;
    if (windows.size >= PEOPLE_MAX) windows.clear();
    windows.set(userId, { ...window, used: window.used + 1 });
    return true;
  };
}
