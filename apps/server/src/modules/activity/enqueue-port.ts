import type { EnqueueJobInput } from '@airdeck/engine/interfaces';
import type { Tx } from '../../storage/schema.ts';

/** Asks for work of the background that begins when this transaction is committed, and never where it is not. */
export type Enqueue = (tx: Tx, job: EnqueueJobInput) => Promise<unknown>;
