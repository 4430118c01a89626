/** Both ends notice within a minute that the network between them is gone; by themselves most systems take two hours. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

/** The database's half of it. */
export const keepalives = ['tcp_keepalives_idle=30', 'tcp_keepalives_interval=10', 'tcp_keepalives_count=3'] as const;

/**
 * What a process that froze, or whose network is gone, may keep from the others: its open transaction ends, with the locks it
 * holds, and whoever waits for one is told so. Also on a server whose own settings say nothing.
 */
export const sessionBounds = ['idle_in_transaction_session_timeout=60s', 'lock_timeout=30s', ...keepalives] as const;

/** Settings as the `options` of a connection: they hold from its start, and are what RESET returns to. */
export function startedWith(settings: readonly string[]): string {
  return settings.map((setting) => `-c ${setting}`).join(' ');
}
