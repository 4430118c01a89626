/**
 * One connection that listens for all channels.
 *
 * It is opened by the first subscription and reopened with a growing pause after it broke. What was announced while it
 * was down is gone: every subscriber is told through `onGap` after a reconnection, and listeners that must not miss
 * anything poll as well.
 */
import pg from 'pg';
import { keepalives, keptAlive, startedWith } from './connection-bounds.ts';
import type { StorageLog } from './storage-log.ts';
import { errorText } from './storage-log.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const CHANNEL = /^[a-z_][a-z0-9_]{0,62}$/;

export type Subscription = {
  handler: (payload: string) => void;
  /** Heard again after the connection was lost. */
  onGap?: (() => void) | undefined;
  /** Deaf from now on. */
  onLost?: (() => void) | undefined;
};

export interface Notifications {
  listen(channel: string, subscription: Subscription): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export function createNotifications(deps: { url: string; log: StorageLog; connectWithinMs: number }): Notifications {
  const { url, log, connectWithinMs } = deps;
  const channels = new Map<string, Set<Subscription>>();
  let connecting: Promise<pg.Client> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'airdeck-listen',
      options: startedWith(keepalives),
      connectionTimeoutMillis: connectWithinMs,
      // Nothing is asked on it by which a network that is gone would be noticed.
      ...keptAlive,
    });
    client.on('error', (error) => log.warn({ error: errorText(error) }, 'listening connection lost'));
    client.on('notification', ({ channel, payload }) => dispatch(channel, payload ?? ''));
    await client.connect();
    client.once('end', () => {
      connecting = undefined;
      announceLoss();
      reconnectLater();
    });
    for (const channel of channels.keys()) await client.query(`listen ${channel}`);
    pauseMs = FIRST_PAUSE_MS;
    return client;
  }

  function connection(): Promise<pg.Client> {
    connecting ??= connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  function reconnectLater(): void {
    if (closed || channels.size === 0 || retry !== undefined) return;
    retry = setTimeout(() => {
      retry = undefined;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      connection().then(announceGap, reconnectLater);
    }, pauseMs);
  }

  function announceGap(): void {
    for (const subscriptions of channels.values()) for (const { onGap } of subscriptions) onGap?.();
  }

  function announceLoss(): void {
    for (const subscriptions of channels.values()) for (const { onLost } of subscriptions) onLost?.();
  }

  function dispatch(channel: string, payload: string): void {
    for (const { handler } of channels.get(channel) ?? []) {
      try {
        handler(payload);
      } catch (error) {
        log.error({ channel, error: errorText(error) }, 'notification handler failed');
      }
    }
  }

  return {
    async listen(channel, subscription) {
      if (!CHANNEL.test(channel)) throw new Error(`Not a channel name: ${channel}`);
      const known = channels.get(channel);
      const subscriptions = known ?? new Set();
      subscriptions.add(subscription);
      channels.set(channel, subscriptions);
      try {
        const client = await connection();
        if (known === undefined) await client.query(`listen ${channel}`);
      } catch (error) {
        subscriptions.delete(subscription);
        if (subscriptions.size === 0) channels.delete(channel);
        throw error;
      }
      return async () => {
        subscriptions.delete(subscription);
        if (subscriptions.size > 0 || channels.get(channel) !== subscriptions) return;
        channels.delete(channel);
        const client = await connecting?.catch(() => undefined);
        await client?.query(`unlisten ${channel}`).catch(() => undefined);
      };
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      channels.clear();
      const client = await connecting?.catch(() => undefined);
      await client?.end();
    },
  };
}
