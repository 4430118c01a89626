import type { Readable } from 'node:stream';

/**
 * Where bytes are kept that are too large for a row. Only ids made by the program name them; what people call a file is
 * never part of a path. Nothing here knows tenants: a file belongs to whoever keeps its id.
 */
export interface Files {
  /**
   * Stores what `content` delivers under `id` and resolves with its size in bytes once it is durable. Rejects with the
   * error of `content`, and nothing is left. Ids are used once; throws for one that is no UUID or is taken.
   */
  put(id: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** Undefined when there is no such file. The caller reads the stream to its end or destroys it. */
  open(id: string): Promise<Readable | undefined>;
  /** Harmless for a file that is not there. */
  remove(id: string): Promise<void>;
  /** Ids of files last written before `olderThan`, in portions. */
  listOlder(olderThan: Date): AsyncIterable<readonly string[]>;
}
