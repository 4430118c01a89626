import type { ActionContext } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { servicenow } from './servicenow.ts';

const config = (url: string) => ({ base_url: url, username: 'integration', password: sandboxKeys.servicenow });

describe('ServiceNow against the sandbox', () => {
  const connector = useConnector(servicenow, config);
  const { run, calls, state } = connector;
  const incidents = () => state().incidents as JsonObject[];

  it('says as whom it is connected and what that account may see', async () => {
    await run('create_incident', { short_description: 'x' });
    expect(await connector.testConnection()).toEqual({
      message: 'Connected as integration, who may see 1 incidents.',
      metadata: { account: 'integration', incidents: 1 },
    });
  });

  it('opens one incident for one correlation id, however often it is asked', async () => {
    const input = {
      short_description: 'Password spray',
      correlation_id: 'case-77',
      urgency: '1',
      assignment_group: 'SOC',
    };
    const first = await run('create_incident', input);
    expect(first).toMatchObject({
      created: true,
      urgency: '1',
      assignment_group: 'SOC',
      created_at: expect.stringMatching(/T.*Z$/),
    });
    expect(await run('create_incident', input)).toMatchObject({ created: false, sys_id: first.sys_id });
    expect(incidents()).toHaveLength(1);
  });

  it('repeats a step without a second incident, and opens another one for another step', async () => {
    const input = { short_description: 'x' };
    for (const idempotencyKey of ['run-1:step:0', 'run-1:step:0', 'run-2:step:0']) {
      await run('create_incident', input, {}, { idempotencyKey });
    }
    expect(incidents()).toHaveLength(2);
  });

  it('finds, changes and annotates an incident by number and by sys_id', async () => {
    const { number, sys_id } = await run('create_incident', { short_description: 'x' });
    expect(await run('get_incident', { incident: String(number).toLowerCase() })).toMatchObject({ number, state: '1' });
    await run('update_incident', { incident: sys_id, state: '6', close_notes: 'Done' });
    await run('add_work_note', { incident: number, text: 'Blocked.' });
    await run('add_work_note', { incident: number, text: 'Unblocked.' });
    expect(incidents()).toMatchObject([{ state: '6', close_notes: 'Done', work_notes: 'Blocked.\n\nUnblocked.' }]);
    expect(await vendorFailure(run('get_incident', { incident: 'INC0099999' }))).toMatchObject({
      code: 'VENDOR_NOT_FOUND',
    });
  });

  it('changes nothing but the fields it offers', async () => {
    const { number } = await run('create_incident', { short_description: 'x' });
    const hostile = { incident: number, state: '2', sys_id: 'f'.repeat(32), number: 'INC1', work_notes: 'x' };
    await run('update_incident', hostile);
    expect(connector.bodies().at(-1)).toEqual({ state: '2' });
    expect(await vendorFailure(run('update_incident', { incident: number }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
  });

  it('queries a table over several pages, with the fields asked for', async () => {
    for (let index = 0; index < 205; index += 1) {
      await run('create_incident', {
        short_description: `n ${index}`,
        category: 'network',
        correlation_id: `c-${index}`,
      });
    }
    const all = await run('query_table', {
      table: 'incident',
      query: 'category=network',
      fields: ['number'],
      limit: 1000,
    });
    expect(new Set((all.records as JsonObject[]).map(({ number }) => number)).size).toBe(205);
    expect(Object.keys((all.records as JsonObject[])[0] ?? {})).toEqual(['number']);
    const few = await run('query_table', { table: 'incident', limit: 10 });
    expect([(few.records as unknown[]).length, few.has_more]).toEqual([10, true]);
    expect(await vendorFailure(run('query_table', { table: 'absent' }))).toMatchObject({ code: 'VENDOR_REJECTED' });
  });

  describe('of a table some of whose rows the account may not read', () => {
    /** Without these headers, as where an instance or a proxy leaves them out. */
    const without = (...names: string[]): ActionContext['egress'] => ({
      async request(request) {
        const answer = await connector.egress().request(request);
        const kept = Object.entries(answer.headers).filter(([name]) => !names.includes(name));
        return { ...answer, headers: Object.fromEntries(kept) };
      },
    });
    const fill = async (rows: number, categoryOf: (index: number) => string) => {
      for (let index = 0; index < rows; index += 1) {
        const row = { short_description: `n ${index}`, category: categoryOf(index), correlation_id: `c-${index}` };
        await run('create_incident', row);
      }
      await connector.control('POST', 'hide', { condition: 'category=restricted' });
    };
    const queried = async (...leftOut: string[]) => {
      const input = { table: 'incident', fields: ['number'], limit: 60 };
      const { records, has_more } = await run('query_table', input, {}, { egress: without(...leftOut) });
      const numbers = (records as JsonObject[]).map(({ number }) => number);
      return { count: numbers.length, distinct: new Set(numbers).size, has_more };
    };

    it.each([[[]], [['x-total-count']], [['x-total-count', 'link']]])(
      'gives every other row once, without the headers %j',
      async (leftOut) => {
        await fill(75, (index) => (index % 3 === 0 ? 'restricted' : 'network'));
        expect(await queried(...leftOut)).toEqual({ count: 50, distinct: 50, has_more: false });
      },
    );

    it.each([[[]], [['x-total-count']]])(
      'goes on behind a page that has none to show, without the headers %j',
      async (leftOut) => {
        await fill(100, (index) => (index < 70 ? 'restricted' : 'network'));
        expect(await queried(...leftOut)).toEqual({ count: 30, distinct: 30, has_more: false });
      },
    );

    it('says that there is more when the limit is reached before the end', async () => {
      await fill(75, (index) => (index % 2 === 0 ? 'restricted' : 'network'));
      const { records, has_more } = await run('query_table', { table: 'incident', limit: 30 });
      expect([(records as JsonObject[]).length, has_more]).toEqual([30, true]);
    });
  });

  it('says that a sleeping instance is not its API', async () => {
    connector.disturb('html');
    expect(await vendorFailure(run('query_table', { table: 'incident' }))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
  });

  it.each<[string, JsonObject]>([
    ['get_incident', { incident: 'INC0010002^ORactive=true' }],
    ['get_incident', { incident: '../sys_user' }],
    ['create_incident', { short_description: 'x', correlation_id: 'a^ORnumber!=1' }],
    ['create_incident', { short_description: 'x', correlation_id: 'javascript:gs.getUserID' }],
    ['query_table', { table: 'incident/../sys_user' }],
    ['query_table', { table: 'Incident' }],
    ['query_table', { table: 'incident', query: 'active=JavaScript:gs.x()' }],
    ['query_table', { table: 'incident', query: 'a=b\r\nc' }],
    ['query_table', { table: 'incident', fields: ['number&sysparm_limit=1'] }],
    ['add_work_note', { incident: 'INC0010002', text: 'x'.repeat(10_001) }],
  ])('sends nothing for %s of %j', async (verb, input) => {
    expect(await vendorFailure(run(verb, input))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(calls()).toEqual([]);
  });
});
