import type { SearchContext } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { graylog } from './graylog.ts';
import { searchLive } from './search-live.ts';

describe('a live search of Graylog against the sandbox', () => {
  const end = new Date();
  const start = new Date(end.getTime() - 3_600_000);
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.sandbox.reset());

  const at = (secondsBeforeEnd: number) => new Date(end.getTime() - secondsBeforeEnd * 1000).toISOString();
  const add = (list: readonly JsonObject[]) =>
    fetch(`${fixture.sandbox.url}/graylog/sandbox/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(list),
    });
  const context = (asked: Partial<SearchContext> = {}, token: string = sandboxKeys.graylog): SearchContext => ({
    ...actionContext(fixture.egress, { config: { base_url: `${fixture.sandbox.url}/graylog`, api_token: token } }),
    now: () => end,
    query: '*',
    start,
    end,
    limit: 100,
    ...asked,
  });

  it('finds messages of the range with all of their fields, newest first, as many as asked for', async () => {
    await add([
      { _id: 'm-1', timestamp: at(30), source: 'dc-1', message: 'needle one', EventID: 4625 },
      { _id: 'm-2', timestamp: at(20), source: 'dc-1', message: 'needle two' },
      { _id: 'm-3', timestamp: at(10), source: 'dc-2', message: 'needle three' },
      { _id: 'm-4', timestamp: at(0), source: 'dc-1', message: 'needle on the end' },
      { _id: 'm-5', timestamp: at(7_200), source: 'dc-1', message: 'needle long ago' },
    ]);
    const ids = async (asked: Partial<SearchContext>) => (await searchLive(context(asked))).map(({ id }) => id);
    expect(await ids({ query: 'needle' })).toEqual(['m-3', 'm-2', 'm-1']);
    expect(await ids({ query: 'source:"dc-1" AND needle' })).toEqual(['m-2', 'm-1']);
    expect(await ids({ query: 'needle', limit: 2 })).toEqual(['m-3', 'm-2']);
    const [, , oldest] = await searchLive(context({ query: 'needle' }));
    expect(oldest?.record).toMatchObject({ EventID: 4625, message: 'needle one' });
  });

  it('says what Graylog refuses', async () => {
    expect(await failureOf(searchLive(context({ query: 'user:"open' })))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(await failureOf(searchLive(context({}, 'wrong')))).toMatchObject({ code: 'VENDOR_CREDENTIALS_REFUSED' });
  });

  it('is what the definition declares', () => {
    expect(graylog.capabilities).toContain('search');
  });
});
