import { createAskedTogether } from '../../asked-together.ts';
import { isStillAhead } from '../../still-ahead.ts';
import type { Database } from '../../storage/database.ts';
import type { IngestSource, SourceFinder } from './ingest-source.ts';
import { hashSourceToken } from './source-token.ts';
import {
  findIngestSource,
  findIngestSourcesBySender,
  findIngestSourcesByToken,
  type SourceLookup,
} from './sources-repository.ts';

/** A new or withdrawn source is noticed after this time at the latest. */
const CACHE_MS = 2_000;
const CACHE_ENTRIES = 5_000;
/** Looked up together: a flood of tokens or addresses nobody has costs one question at a time, on one connection each. */
const ASKED_TOGETHER = { most: 500, waiting: 5_000 };

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
    ...ASKED_TOGETHER,
  });
  const askSender = createAskedTogether<string, IngestSource | undefined>({
    ask: (addresses) => deps.db.system((tx) => findIngestSourcesBySender(tx, addresses)),
    ...ASKED_TOGETHER,
  });

  function asked(lookup: SourceLookup): Promise<IngestSource | undefined> {
    return cached(JSON.stringify(lookup), () => deps.db.system((tx) => findIngestSource(tx, lookup)));
  }

  function cached(key: string, ask: () => Promise<IngestSource | undefined>): Promise<IngestSource | undefined> {
    const at = deps.now().getTime();
    const known = cache.get(key) ?? strangers.get(key);
    if (known !== undefined && isStillAhead(known.until, { at, lastsMs: CACHE_MS })) return known.source;
    cache.delete(key);
    const kept = { until: at + CACHE_MS, source: ask() };
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
      return source === undefined ? Promise.resolve(undefined) : asked({ syslogSource: source });
    },
    async bySender(address) {
      const configured = deps.senders?.get(address);
      return (
        (configured === undefined ? undefined : await asked({ syslogSource: configured })) ??
        (await cached(`sender ${address}`, () => askSender(address))) ??
        (await asked({ syslogDefault: true }))
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
