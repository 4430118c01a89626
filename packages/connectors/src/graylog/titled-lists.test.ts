import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { createHttpNotificationAction } from './create-http-notification.ts';
import { deleteNotificationAction } from './delete-notification.ts';
import { disableEventDefinition } from './disable-event-definition.ts';

/** The server decodes what it is asked for twice, unescapes nothing, and reads comparisons. */
const titles = [
  'CPU > 90% for 5m',
  '100%',
  'Escaped %41 twice',
  '5+ failed logons',
  'Logon "svc"',
  "It's: 'quoted', or not",
  'DOMAIN\\admin',
  'Ends in a backslash\\',
  '>5 failures',
  '<=x',
  '=~.*',
  'One, two, three',
  ' Blanks around ',
  'Größe: über 5 % 🦊',
];

describe.each(['4.3.0', '5.2.12', '7.0.2'])('an entry of Graylog %s is found by its title', (version) => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    fixture.sandbox.reset();
    await post('sandbox/version', { version });
  });

  async function post(path: string, body: JsonObject): Promise<void> {
    const { ok } = await fetch(`${fixture.sandbox.url}/graylog/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-by': 'test',
        authorization: `Basic ${Buffer.from(`${sandboxKeys.graylog}:token`).toString('base64')}`,
      },
      body: JSON.stringify(body),
    });
    expect(ok).toBe(true);
  }
  const addDefinition = async (entity: JsonObject) =>
    post('events/definitions', version === '7.0.2' ? { entity } : entity);
  const run = async (action: ActionDefinition, input: JsonObject) => {
    const config = { base_url: `${fixture.sandbox.url}/graylog`, api_token: sandboxKeys.graylog };
    return action.run({ ...actionContext(fixture.egress, { config, input }), now: () => new Date() });
  };
  const state = () => fixture.sandbox.state().graylog as Record<'definitions' | 'notifications', JsonObject[]>;

  it.each(titles)('%j', async (title) => {
    await addDefinition({ title });
    expect(await run(disableEventDefinition, { event_definition_title: title })).toMatchObject({ changed: true });
    expect(state().definitions.find((one) => one.title === title)).toMatchObject({ state: 'DISABLED' });

    const wanted = { title, url: 'https://deck.example/hooks/1' };
    expect(await run(createHttpNotificationAction, wanted)).toMatchObject({ changed: true });
    expect(await run(createHttpNotificationAction, wanted)).toMatchObject({ changed: false });
    expect(state().notifications.filter((one) => one.title === title)).toHaveLength(1);
    expect(await run(deleteNotificationAction, { notification_title: title })).toMatchObject({ changed: true });
    expect(state().notifications.filter((one) => one.title === title)).toEqual([]);
  });

  it('unless it is the title of another one, or of none', async () => {
    await addDefinition({ title: 'DOMAIN\\admin' });
    for (const title of ['DOMAIN\\', 'DOMAIN\\\\admin', '"', '%', '+', '>', 'DOMAIN%5Cadmin']) {
      const failure = await failureOf(run(disableEventDefinition, { event_definition_title: title }));
      expect(failure).toMatchObject({ code: 'VENDOR_NOT_FOUND' });
    }
  });

  it('and is not said to be off when Graylog keeps it on', async () => {
    await addDefinition({ title: 'System notification events', _scope: 'SYSTEM_NOTIFICATION_EVENT' });
    const input = { event_definition_title: 'System notification events' };
    expect(await failureOf(run(disableEventDefinition, input))).toMatchObject({
      code: 'VENDOR_REJECTED',
      message: expect.stringContaining('Graylog did not disable'),
    });
  });
});
