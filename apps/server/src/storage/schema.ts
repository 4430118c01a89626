import type { Transaction } from 'kysely';

/** Every module adds its tables here, one line each. */
export type Tables = Record<never, never>;

export type Tx = Transaction<Tables>;
