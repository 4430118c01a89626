/** The five-letter SQLSTATE of a PostgreSQL error, or the system's code of a broken connection. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export type TransientKind = 'serialization' | 'deadlock' | 'connection' | 'lock';

const transientStates: Readonly<Record<string, TransientKind>> = {
  '40001': 'serialization',
  '40P01': 'deadlock',
  '55P03': 'lock',
  '57P01': 'connection',
  '57P02': 'connection',
  '57P03': 'connection',
  // Disk full: the transaction was rolled back, and a later repetition may find room.
  '53100': 'lock',
  // A server that became a standby, and one short of memory.
  '25006': 'lock',
  '53200': 'lock',
  '53300': 'connection',
  '08000': 'connection',
  '08001': 'connection',
  '08003': 'connection',
  '08004': 'connection',
  '08006': 'connection',
  ECONNREFUSED: 'connection',
  ECONNRESET: 'connection',
  EPIPE: 'connection',
  ETIMEDOUT: 'connection',
};

/**
 * What a repetition of the whole transaction may cure; undefined for everything else. After `connection` it is unknown
 * whether a commit took place, so only work that is safe to repeat may be repeated.
 */
export function transientKind(error: unknown): TransientKind | undefined {
  const state = sqlStateOf(error);
  return state === undefined ? undefined : transientStates[state];
}

export function isTransient(error: unknown): boolean {
  return transientKind(error) !== undefined;
}
