/** A connector against its stand-in, for tests: what they share beyond `sandbox-fixture.ts`. */
import type { ActionContext, ConnectorDefinition, FetchPage } from '@airdeck/connector-kit/definition';
import { toVendorFailure, type VendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { DisturbanceKind } from '@airdeck/simulator/sandbox/disturbances';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { actionContext, startVendorFixture } from './sandbox-fixture.ts';

export type ConnectorFixture = ReturnType<typeof useConnector>;

type ContextParts = Partial<Pick<ActionContext, 'signal' | 'idempotencyKey' | 'egress'>>;

/** Starts the sandbox for the tests of a `describe` and resets it before each. `config` gets the address of the stand-in. */
export function useConnector(definition: ConnectorDefinition, config: (url: string) => JsonObject) {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture?.close());
  beforeEach(() => fixture.sandbox.reset());

  const vendor = definition.definition_id;
  const url = () => `${fixture.sandbox.url}/${vendor}`;
  const contextOf = (input: JsonObject, overrides: JsonObject, parts: ContextParts = {}): ActionContext => ({
    ...actionContext(fixture.egress, { config: { ...config(url()), ...overrides }, input }),
    now: () => new Date(),
    ...parts,
  });

  return {
    definition,
    url,
    egress: () => fixture.egress,
    /** Runs `definition.<verb>` and checks that the output is what its schema promises. */
    async run(
      verb: string,
      input: JsonObject,
      overrides: JsonObject = {},
      parts: ContextParts = {},
    ): Promise<JsonObject> {
      const action = definition.actions.find(({ action_id }) => action_id === `${vendor}.${verb}`);
      if (action === undefined) throw new Error(`There is no action ${vendor}.${verb}.`);
      const output = await action.run(contextOf(input, overrides, parts));
      const promised = Object.keys(action.output_schema.properties as JsonObject);
      expect(Object.keys(output).sort()).toEqual(promised.sort());
      return output;
    },
    testConnection: (overrides: JsonObject = {}, parts: ContextParts = {}) =>
      definition.testConnection?.(contextOf({}, overrides, parts)) ?? Promise.reject(new Error('no connection test')),
    fetchEvents: (cursor: JsonObject | null, options: JsonObject = {}, parts: ContextParts = {}): Promise<FetchPage> =>
      definition.fetchEvents?.({ ...contextOf({}, {}, parts), options, cursor }) ??
      Promise.reject(new Error('no events')),
    state: () => fixture.sandbox.state()[vendor] as JsonObject,
    calls: () => fixture.sandbox.state().calls.map(({ method, path }) => `${method} ${path}`),
    bodies: () => fixture.sandbox.state().calls.map(({ body }) => body as JsonObject),
    disturb: (kind: DisturbanceKind, more: { times?: number; delay_ms?: number; path?: string } = {}) =>
      fixture.sandbox.disturb({ vendor, kind, ...more }),
    /** A control of the stand-in that the vendor does not have. */
    async control(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<void> {
      const json =
        body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await fetch(`${url()}/sandbox/${path}`, { method, ...json });
      expect(answer.status).toBe(200);
    },
  };
}

/** What a call failed with, in the shape people get it; undefined when it did not fail. */
export async function vendorFailure(work: Promise<unknown>): Promise<VendorFailure | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return toVendorFailure(error, (text) => text);
  }
}

/** Fetches until nothing more is there; at most `maxPages` pages. */
export async function fetchAll(
  fixture: Pick<ConnectorFixture, 'fetchEvents'>,
  from: { cursor: JsonObject | null; options?: JsonObject; maxPages?: number },
): Promise<{ records: JsonObject[]; cursor: JsonObject; pages: number }> {
  const records: JsonObject[] = [];
  let { cursor } = from;
  for (let pages = 1; pages <= (from.maxPages ?? 50); pages += 1) {
    // As a store would keep it.
    const page = await fixture.fetchEvents(
      cursor === null ? null : (JSON.parse(JSON.stringify(cursor)) as JsonObject),
      from.options,
    );
    records.push(...page.records);
    cursor = page.cursor;
    if (!page.hasMore) return { records, cursor: page.cursor, pages };
  }
  throw new Error('The source does not come to an end.');
}
