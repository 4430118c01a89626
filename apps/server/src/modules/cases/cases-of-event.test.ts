import type { EventCase } from '@airdeck/contracts/cases/event-cases';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createIngestionFixture, type IngestionFixture } from '../ingestion/ingestion-fixture.ts';
import { casesOfEvent } from './cases-of-event.ts';

let fixture: IngestionFixture;

beforeAll(async () => {
  fixture = await createIngestionFixture();
});
afterAll(() => fixture?.close());

const casesOf = (tenantId: string, eventId: string): Promise<EventCase[]> =>
  fixture.db.tenant(tenantId, (tx) => casesOfEvent(tx, trustedTenantScope(tenantId), eventId));

it('an event tells which cases it was counted into, to its own tenant alone', async () => {
  const sender = await fixture.newSource();
  await fixture.createPolicy(sender.tenantId, {
    name: 'Guessing',
    description: '',
    type: 'custom',
    severity: 'high',
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [{ field: 'outcome', operator: 'equals', value: 'failure' }],
      group_by: ['src_ip'],
      source: { source_type: 'log', connector_definition_id: 'sshd', event_type: 'authentication' },
    },
  });
  await fixture.detection.start();
  const door = await fixture.serve();
  const line = (text: string) => `Nov 21 11:50:00 h sshd[1]: ${text} for root from 203.0.113.9 port 1 ssh2`;
  const body = [line('Failed password'), line('Accepted password')].join('\n');
  expect((await door.send(sender, body, { 'content-type': 'text/plain' })).status).toBe(202);

  const idOf = async (word: string) =>
    (await fixture.eventsOf(sender.tenantId)).find(({ raw }) => raw.includes(word))?.id ?? '';
  const id = await idOf('Failed');
  const [opened] = await fixture.casesOf(sender.tenantId);
  expect(await casesOf(sender.tenantId, id)).toEqual([
    {
      id: opened?.id,
      reference: opened?.reference,
      alert_name: 'Guessing',
      alert_severity: 'high',
      alert_status: 'open',
    },
  ]);
  expect(await casesOf(sender.tenantId, await idOf('Accepted'))).toEqual([]);
  expect(await casesOf((await fixture.newSource()).tenantId, id)).toEqual([]);
  expect(await casesOf(sender.tenantId, v7())).toEqual([]);
});
