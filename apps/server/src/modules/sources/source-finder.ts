import { createAskedTogether } from '../../asked-together.ts';
import type { Database } from '../../storage/database.ts';
import type { IngestSource, SourceFinder } from './ingest-source.ts';
import { hashSourceToken } from './source-token.ts';
import { findIngestSource, findIngestSourcesByToken, type SourceLookup } from './sources-repository.ts';

/** A new or withdrawn source is noticed after this time at the latest. */
const CACHE_MS = 2_000;
const CACHE_ENTRIES = 5_000;
/** Tokens are looked up together: a flood of tokens nobody has costs one question at a time, on one connection. */
const TOKENS_AT_ONCE = 500;
const TOKENS_WAITING_MAX = 5_000;

/** Answers from memory for two seconds, so that neither a busy source nor a repeated wrong token reaches the database. */
export function createSourceFinder(deps: {
  db: Pick<Database, 'system'>;
  now: () => Date;
  /** Ids by address, as the operator configured them; before what sources say of themselves. */
  senders?: ReadonlyMap<string, string>;
  /** Ids by port of the syslog doors that are one source's own. */
  ports?: ReadonlyMap<number, string>;
}): SourceFinder {
  type Kept = { until: number; source: Promise<IngestSource | undefined> };
  const cache = new Map<string, Kept>();
  /** Apart, so that a flood of tokens nobody has pushes out only its like. */
  const strangers = new Map<string, Kept>();
  const askToken = createAskedTogether<Buffer, IngestSource | undefined>({
    ask: (hashes) => deps.db.system((tx) => findIngestSourcesByToken(tx, hashes)),
    most: TOKENS_AT_ONCE,
    waiting: TOKENS_WAITING_MAX,
  });

  function askFirstOf(lookups: readonly SourceLookup[]): Promise<IngestSource | undefined> {
    return deps.db.system(async (tx) => {
      for (const lookup of lookups) {
        const found = await findIngestSource(tx, lookup);
        if (found !== undefined) return found;
      }
      return undefined;
    });
  }

  function cached(key: string, ask: () => Promise<IngestSource | undefined>): Promise<IngestSource | undefined> {
    const time = deps.now().getTime();
    const known = cache.get(key) ?? strangers.get(key);
    if (known !== undefined && known.until > time) return known.source;
    cache.delete(key);
    const kept = { until: time + CACHE_MS, source: ask() };
    keep(strangers, key, kept);
    kept.source.then(
      (source) => {
        if (source === undefined) return;
        strangers.delete(key);
        keep(cache, key, kept);
      },
      // A failure is nothing to remember.
      () => strangers.delete(key),
    );
    return kept.source;
  }

  return {
    byToken(token) {
      const tokenHash = hashSourceToken(token);
      return tokenHash === undefined
        ? Promise.resolve(undefined)
        : cached(`token ${tokenHash.toString('base64')}`, () => askToken(tokenHash));
    },
    byPort(port) {
      const source = deps.ports?.get(port);
      return source === undefined
        ? Promise.resolve(undefined)
        : cached(`port ${port}`, () => askFirstOf([{ syslogSource: source }]));
    },
    bySender(address) {
      const configured = deps.senders?.get(address);
      const lookups: SourceLookup[] = [{ sender: address }, { syslogDefault: true }];
      return cached(`sender ${address}`, () =>
        askFirstOf(configured === undefined ? lookups : [{ syslogSource: configured }, ...lookups]),
      );
    },
  };
}

/** The oldest goes when there is no more room. */
function keep<Kept>(entries: Map<string, Kept>, key: string, kept: Kept): void {
  entries.delete(key);
  const [oldest] = entries.keys();
  if (oldest !== undefined && entries.size >= CACHE_ENTRIES) entries.delete(oldest);
  entries.set(key, kept);
}
