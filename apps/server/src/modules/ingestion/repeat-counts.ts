import type { Database } from '../../storage/database.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceRepeat, SourceRepeats } from '../sources/source-repeats.ts';

/** Deliveries that were taken for repetitions by their body alone, counted where people see it beside their source. */
export type RepeatCounts = {
  note(source: Pick<IngestSource, 'id' | 'tenantId'>): void;
  /** Resolves when what was noted is written, or could not be. */
  settle(): Promise<void>;
};

/** One write at a time, with all that came since the last: who repeats a body a thousand times a second costs no more. */
export function createRepeatCounts(deps: {
  db: Pick<Database, 'system'>;
  repeats: Pick<SourceRepeats, 'add'>;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
}): RepeatCounts {
  const { db, repeats, now, log } = deps;
  let waiting = new Map<string, SourceRepeat>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const counts = [...waiting.values()];
      waiting = new Map();
      try {
        await db.system((tx) => repeats.add(tx, { counts, at: now() }));
      } catch (error) {
        log.warn({ error: String(error) }, 'repeated deliveries could not be written down');
        // With the next one: a database that is away is not asked again and again.
        for (const count of counts) add(count);
        return;
      }
    }
  }

  function add({ sourceId, tenantId, deliveries }: SourceRepeat): void {
    const count = waiting.get(sourceId) ?? { sourceId, tenantId, deliveries: 0 };
    waiting.set(sourceId, { ...count, deliveries: count.deliveries + deliveries });
  }

  function begin(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  return {
    note({ id, tenantId }) {
      add({ sourceId: id, tenantId, deliveries: 1 });
      void begin();
    },
    async settle() {
      await writing;
      await begin();
    },
  };
}
