/**
 * Connectors that are asked while somebody searches, because their vendor keeps the events: Graylog. Each answers for itself;
 * one that fails or is slow leaves the others and the store alone, and its state says why.
 */
import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { ConnectorDefinition, SearchHit } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { createRedactor } from '@airdeck/connector-kit/redaction';
import { SecretError } from '@airdeck/connector-kit/secrets';
import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { FoundEvent, LiveSource, SearchCriteria, SearchOrder } from '@airdeck/contracts/search/schema';
import type { QueryNode } from '@airdeck/query-language/query-tree';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { redactedValue } from '../actions/redacted-value.ts';
import type { ConnectorsService } from '../connectors/connectors-service.ts';
import { readVendorRecord } from '../ingestion/vendor-record.ts';
import { LIVE_IDS_MAX, type SearchCursor, shortId } from './search-cursor.ts';
import type { Stretch } from './search-range.ts';
import { NotAskable, vendorQuery } from './vendor-query.ts';

const ANSWER_MS = 8_000;
/** Connectors asked by one search. */
const ASKED_MAX = 5;

export type LiveConnector = {
  readonly id: string;
  readonly name: string;
  readonly definition: ConnectorDefinition;
  /** What the connector's options call events no parser knows. */
  readonly eventType: string | undefined;
};

/** Where a page begins at a connector: what was shown of the last millisecond is not shown again. */
type LivePosition = SearchCursor['live'][string];

export type LiveAnswer = {
  readonly source: LiveSource;
  /** Newest first. */
  readonly events: FoundEvent[];
  /** Whether there are no older ones. */
  readonly complete: boolean;
};

type Dependencies = {
  db: Pick<Database, 'tenant' | 'read'>;
  connectors: Pick<ConnectorsService, 'open'>;
  /** Connectors of the tenant that may be used and whose definition can search. */
  searchable: (tx: Tx, scope: TenantScope) => Promise<readonly LiveConnector[]>;
  egress: Egress;
  now: () => Date;
};

export type LiveSources = {
  /** Those a search asks, by name. */
  of(scope: TenantScope, criteria: SearchCriteria): Promise<LiveConnector[]>;
  ask(asked: LiveQuestion): Promise<LiveAnswer>;
};

export type LiveQuestion = Stretch & {
  readonly sort: SearchOrder;
  readonly scope: TenantScope;
  readonly connector: LiveConnector;
  readonly tree: QueryNode;
  readonly integrations: readonly string[];
  readonly limit: number;
  readonly after: LivePosition | undefined;
  readonly signal: AbortSignal;
  /** What `now` means in the query. */
  readonly queryNow: number;
};

/** Nobody is asked: for searches beside the server, such as tests and benches. */
export const noLiveSources: LiveSources = {
  of: async () => [],
  ask: () => Promise.reject(new Error('There is nothing to ask.')),
};

export function createLiveSources(deps: Dependencies): LiveSources {
  return {
    async of(scope, { connector_id, integrations }) {
      const all = await deps.db.read(scope.tenantId, (tx) => deps.searchable(tx, scope));
      const wanted = all.filter(
        ({ id, definition }) =>
          (connector_id === undefined || id === connector_id) &&
          (integrations.length === 0 || integrations.some((entry) => isOf(entry, definition.definition_id))),
      );
      return wanted.slice(0, ASKED_MAX);
    },
    async ask(asked) {
      const begun = deps.now().getTime();
      const done = (state: LiveSource['state'], message: string, events: FoundEvent[] = [], complete = true) => ({
        source: {
          connector_id: asked.connector.id,
          name: asked.connector.name,
          state,
          message,
          found: events.length,
          took_ms: Math.max(0, deps.now().getTime() - begun),
        },
        events,
        complete,
      });
      try {
        const { events, complete } = await answerOf(deps, asked);
        return done('answered', asked.after?.left_out ? LEFT_OUT : '', events, complete);
      } catch (error) {
        asked.signal.throwIfAborted();
        if (error instanceof NotAskable) return done('not_searchable', error.message);
        return done('failed', failureText(error));
      }
    },
  };
}

function isOf(entry: string, definitionId: string): boolean {
  return entry === definitionId || entry.startsWith(`${definitionId}:`);
}

async function answerOf(deps: Dependencies, asked: LiveQuestion): Promise<{ events: FoundEvent[]; complete: boolean }> {
  const { scope, connector, after, limit } = asked;
  const { definition } = connector;
  const { search, definition_id: definitionId, searchNames: names = {} } = definition;
  if (search === undefined) throw new NotAskable('This integration cannot be searched.');
  if (asked.sort !== 'newest') throw new NotAskable('It can be searched with the newest events first only.');
  if (asked.integrations.length > 0 && !asked.integrations.includes(definitionId)) {
    throw new NotAskable('Event types are known of stored events only.');
  }
  const query = vendorQuery(asked.tree, { names, integration: definitionId, now: asked.queryNow });
  const opened = await deps.db.tenant(scope.tenantId, (tx) =>
    deps.connectors.open(tx, scope, { definitionId, connectorId: connector.id }),
  );
  if (opened === undefined) throw new NotAskable('This connector is paused.');
  const redact = createRedactor(opened.secrets);
  const seen = new Set(after?.ids);
  const wanted = limit + seen.size;
  let hits: readonly SearchHit[];
  try {
    hits = await search({
      tenant: scope.tenantId,
      config: opened.config,
      egress: withCallMark(deps.egress, async () => undefined),
      signal: AbortSignal.any([asked.signal, AbortSignal.timeout(ANSWER_MS)]),
      now: deps.now,
      query,
      start: new Date(asked.from),
      end: new Date(after === undefined ? asked.until : Math.min(asked.until, after.time + 1)),
      limit: wanted,
    });
  } catch (error) {
    throw new VendorFailed(toVendorFailure(error, redact).message, { cause: error });
  }
  const fresh = hits.filter(({ id, at }) => !(at.getTime() === after?.time && seen.has(shortId(id))));
  const events = fresh.slice(0, limit).map((hit) => eventOf(hit, { connector, redact, at: deps.now().getTime() }));
  // Not every id that is passed over need be among the hits: the vendor may have deleted what is stored here.
  return { events, complete: hits.length < wanted && fresh.length <= limit };
}

const LEFT_OUT = `More than ${LIVE_IDS_MAX} messages have the same time; some of them may not be listed. Narrow the search down.`;

/** With the vendor's words, without its secrets. */
class VendorFailed extends Error {}

function failureText(error: unknown): string {
  if (error instanceof VendorFailed || error instanceof SecretError) return error.message;
  // The store's own words are not for people.
  return 'The connector could not be read just now.';
}

/** As polling would have stored it. */
function eventOf(
  { id, at, record, link }: SearchHit,
  { connector, redact, at: receivedAt }: { connector: LiveConnector; redact: (text: string) => string; at: number },
): FoundEvent {
  const { definition, eventType } = connector;
  const event = readVendorRecord({
    record: redactedValue(record, redact) as JsonObject,
    definitionId: definition.definition_id,
    eventType,
    receivedAt,
  });
  const { time: _time, time_source: _source, ...columns } = event;
  return {
    ...columns,
    id,
    time: at.toISOString(),
    received_at: new Date(receivedAt).toISOString(),
    source_id: null,
    connector_id: connector.id,
    ...(link === undefined ? {} : { link: redact(link) }),
  };
}
