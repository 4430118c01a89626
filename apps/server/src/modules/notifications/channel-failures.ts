/**
 * The last thing a person's outgoing channel refused for good, for its owner to see: it is said nowhere else, as what would
 * tell it cannot get there. It belongs to the address it happened to, and is over with the next call that is taken.
 */
import { createHash } from 'node:crypto';
import type { Told } from '@airdeck/contracts/filled-text';
import type { ChannelFailure } from '@airdeck/contracts/notifications/schema';
import type { Tx } from '../../storage/schema.ts';
import { findRecipient } from './delivery-repository.ts';
import { findSlack, type SlackRow } from './slack-address.ts';

type OfChannel = { userId: string; channel: ChannelFailure['channel']; address: string };

/** Tells one address from another without keeping it: whoever has it can write there. */
export function addressOfWebhook(url: string): string {
  return createHash('sha256').update(url).digest('base64url');
}

export function addressOfSlack({ set_at: setAt }: Pick<SlackRow, 'set_at'>): string {
  return setAt.toISOString();
}

export async function noteFailure(
  tx: Tx,
  { userId, channel, address, at, told }: OfChannel & { at: Date; told: Told },
): Promise<void> {
  const { message, reason, values } = told;
  const set = { address, at, told: JSON.stringify({ message, reason, values }) };
  await tx
    .insertInto('notification_failure')
    .values({ ...set, user_id: userId, channel })
    .onConflict((conflict) => conflict.columns(['user_id', 'channel']).doUpdateSet(set))
    .execute();
}

export async function forgetFailure(tx: Tx, { userId, channel }: Pick<OfChannel, 'userId' | 'channel'>): Promise<void> {
  await tx.deleteFrom('notification_failure').where('user_id', '=', userId).where('channel', '=', channel).execute();
}

/** Of the addresses that are saved now. */
export async function listFailures(tx: Tx, userId: string): Promise<ChannelFailure[]> {
  const rows = await tx
    .selectFrom('notification_failure')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('channel')
    .execute();
  if (rows.length === 0) return [];
  const [slack, recipient] = [await findSlack(tx, userId), await findRecipient(tx, userId)];
  const url = recipient?.preferences?.webhook_url ?? null;
  const addresses = {
    slack: slack === undefined ? undefined : addressOfSlack(slack),
    webhook: url === null ? undefined : addressOfWebhook(url),
  };
  return rows
    .filter(({ channel, address }) => addresses[channel] === address)
    .map(({ channel, at, told }) => ({ channel, at: at.toISOString(), ...told }));
}
