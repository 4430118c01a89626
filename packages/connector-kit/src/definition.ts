import type { ActionDefinition as PublishedAction } from '@airdeck/contracts/actions/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlainValues, Told } from '@airdeck/contracts/filled-text';
import type { ValueReason } from '@airdeck/contracts/value-texts';
import type { Egress } from './egress.ts';
import type { EgressError } from './egress-error.ts';
import type { VendorError } from './vendor-error.ts';

/** What a connector can do beside its actions. Each one but `actions` names a function of the definition. */
export const connectorCapabilities = ['test_connection', 'fetch_events', 'fetch_metrics', 'search', 'actions'] as const;
export type ConnectorCapability = (typeof connectorCapabilities)[number];

export const connectorCategories = [
  'siem',
  'identity',
  'endpoint',
  'network',
  'cloud',
  'threat_intelligence',
  'ticketing',
  'communication',
  'generic',
] as const;
export type ConnectorCategory = (typeof connectorCategories)[number];

/** One configured connector while it works: `config` fits the definition's schema and holds its secrets in the clear. */
export type ConnectorContext = {
  readonly tenant: string;
  readonly config: JsonObject;
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly now: () => Date;
};

export type ActionContext = ConnectorContext & {
  /** Validated against the action's `input_schema` by the caller. */
  readonly input: JsonObject;
  /** The same on every attempt of one step; handed to vendors that take one. */
  readonly idempotencyKey: string;
};

/** `field` is a property of the input. */
export type InputProblem = { readonly field: string; readonly reason: ValueReason };

/**
 * An action as published, plus what the engine needs to run it safely. `run` does one attempt and resolves to output
 * that fits `output_schema`; it throws `VendorError` (or `EgressError`) and nothing else on purpose.
 */
export type ActionDefinition = PublishedAction & {
  /** Repeating the call with the same input leaves the vendor as one call would. */
  readonly idempotent: boolean;
  /** What no schema can say of an input that fits it, such as a start after its end; asked before anything starts. */
  readonly inputProblems?: (input: JsonObject) => readonly InputProblem[];
  /** What was found wrong when the action was made from data; the registry refuses to start with any. */
  readonly problems?: readonly string[];
  run(context: ActionContext): Promise<JsonObject>;
};

export type ConnectionTest = {
  /** A sentence for the person who pressed the button. */
  readonly message: string;
  /** Facts of the vendor worth showing: version, serial number, quota. Never a secret. */
  readonly metadata: JsonObject;
};

export type FetchPage = {
  /** Raw records as the vendor sent them, oldest first. */
  readonly records: readonly JsonObject[];
  /** Where to go on; stored by the caller in the transaction that records the events. */
  readonly cursor: JsonObject;
  readonly hasMore: boolean;
  /** What kept a part of the source from being read while the rest goes on: told as the outcome, and tried again. */
  readonly failure?: VendorError | EgressError;
  /**
   * With the last page of several sources: as of when all of them were read to their end, in ISO 8601; null where one was
   * not, which is told. Default: as of the call.
   */
  readonly completeAt?: string | null;
  /** Records that are too large to be taken, each told once. The cursor is behind them. Default 0. */
  readonly leftOut?: number;
};

export type FetchContext = ConnectorContext & {
  readonly options: JsonObject;
  /** Null on the first call. */
  readonly cursor: JsonObject | null;
};

/** A question to a vendor's own store of events, asked while somebody waits. */
export type SearchContext = ConnectorContext & {
  /** Lucene syntax, as Graylog, Kibana and OpenSearch read it; `*` is everything. */
  readonly query: string;
  readonly start: Date;
  /** Not included. */
  readonly end: Date;
  readonly limit: number;
};

/** A record the vendor found, as it sent it. */
export type SearchHit = {
  readonly id: string;
  readonly at: Date;
  readonly record: JsonObject;
  /** The vendor's own page of it, where its address can be known. */
  readonly link?: string | undefined;
};

/** What people need to know beside the schemas. Goes onto the connector's page in `docs/integrations` and into its form. */
export type ConnectorDocumentation = {
  /** The vendor's own description of its API; https. */
  readonly url?: string;
  /** How to get the credentials, a sentence a step. */
  readonly setup?: readonly string[];
  /** Rights the credentials need at the vendor, in its own words: `SecurityAlert.Read.All`. */
  readonly permissions?: readonly string[];
  /** Limits and habits of the vendor that explain what one sees here. */
  readonly notes?: readonly string[];
};

/** `reason` and `values` where the sentence is one of ours that is translated. */
export type ConfigProblem = Told & { readonly field: string; readonly values?: PlainValues | undefined };

/**
 * An integration: one folder in `packages/connectors`. In `config_schema`, a string property with `secret: true` is
 * sealed by the caller and never shown again; one with `destination: true` is the base address its secrets are bound to.
 * Those with `account: true` say beside that address whose events are fetched: with others, fetching begins anew.
 */
export type ConnectorDefinition = {
  readonly definition_id: string;
  readonly vendor: string;
  readonly product: string;
  /** Version of this definition, not of the vendor's product. */
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly visible: boolean;
  readonly category: ConnectorCategory;
  readonly config_schema: JsonObject;
  readonly event_options_schema?: JsonObject;
  readonly metric_options_schema?: JsonObject;
  readonly documentation?: ConnectorDocumentation;
  /**
   * What this connector takes for granted about the vendor although no published source was at hand to check it, a sentence
   * each. Shown on its page.
   */
  readonly unconfirmed?: readonly string[];
  readonly capabilities: readonly ConnectorCapability[];
  readonly actions: readonly ActionDefinition[];
  /**
   * What no schema can say of a complete configuration, such as a token that no header can carry; by setting, each of its own
   * value: of one that is stored and stays as it is nothing is said again.
   */
  configProblems?(config: JsonObject): readonly ConfigProblem[];
  /** Free of side effects at the vendor. Throws as actions do. */
  testConnection?(context: ConnectorContext): Promise<ConnectionTest>;
  fetchEvents?(context: FetchContext): Promise<FetchPage>;
  fetchMetrics?(context: FetchContext): Promise<JsonObject>;
  /** The newest matches, newest first. Free of side effects at the vendor; throws as actions do. */
  search?(context: SearchContext): Promise<readonly SearchHit[]>;
  /** What the vendor's search calls columns of ours (`host`); fields and columns that are not here keep their name. */
  readonly searchNames?: Readonly<Record<string, string>>;
};

/** The part of an action that goes over the API; leaves out what only the server needs. */
export function publishedAction(action: ActionDefinition): PublishedAction {
  const { idempotent: _idempotent, inputProblems: _inputs, problems: _problems, run: _run, ...published } = action;
  return published;
}
