import type { Database } from '../../storage/database.ts';
import type { IngestSource, SourceFinder } from './ingest-source.ts';
import { hashSourceToken } from './source-token.ts';
import { findIngestSource, type SourceLookup } from './sources-repository.ts';

/** A new or withdrawn source is noticed after this time at the latest. */
const CACHE_MS = 2_000;
const CACHE_ENTRIES = 5_000;

/** Answers from memory for two seconds, so that neither a busy source nor a flood of one wrong token reaches the database. */
export function createSourceFinder(deps: {
  db: Pick<Database, 'system'>;
  now: () => Date;
  /** Ids by address, as the operator configured them; before what sources say of themselves. */
  senders?: ReadonlyMap<string, string>;
  /** Ids by port of the syslog doors that are one source's own. */
  ports?: ReadonlyMap<number, string>;
}): SourceFinder {
  const cache = new Map<string, { until: number; source: Promise<IngestSource | undefined> }>();

  function cached(key: string, lookups: readonly SourceLookup[]): Promise<IngestSource | undefined> {
    const time = deps.now().getTime();
    const known = cache.get(key);
    if (known !== undefined && known.until > time) return known.source;
    if (cache.size >= CACHE_ENTRIES) cache.clear();
    const source = deps.db.system(async (tx) => {
      for (const lookup of lookups) {
        const found = await findIngestSource(tx, lookup);
        if (found !== undefined) return found;
      }
      return undefined;
    });
    cache.set(key, { until: time + CACHE_MS, source });
    // A failure is nothing to remember.
    source.catch(() => cache.delete(key));
    return source;
  }

  return {
    byToken(token) {
      const tokenHash = hashSourceToken(token);
      return tokenHash === undefined
        ? Promise.resolve(undefined)
        : cached(`token ${tokenHash.toString('base64')}`, [{ tokenHash }]);
    },
    byPort(port) {
      const source = deps.ports?.get(port);
      return source === undefined ? Promise.resolve(undefined) : cached(`port ${port}`, [{ syslogSource: source }]);
    },
    bySender(address) {
      const configured = deps.senders?.get(address);
      const lookups: SourceLookup[] = [{ sender: address }, { syslogDefault: true }];
      return cached(
        `sender ${address}`,
        configured === undefined ? lookups : [{ syslogSource: configured }, ...lookups],
      );
    },
  };
}
