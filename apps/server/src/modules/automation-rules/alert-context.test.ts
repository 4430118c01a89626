import type { StoredEvent } from '@airdeck/contracts/events/event';
import { describe, expect, it } from 'vitest';
import { alertOf } from './alert-context.ts';

const event = (fields: Record<string, unknown>) =>
  ({
    integration: 'graylog',
    event_type: 'alert',
    fields: { event_definition_id: '665f0a3b', event: { id: '01JX' }, ...fields },
  }) as unknown as StoredEvent;

describe('an alert of Graylog', () => {
  it('is one that an event definition raised', () => {
    expect(alertOf(event({}))).toMatchObject({ id: '01JX', definitionId: '665f0a3b' });
  });

  it.each([
    { event_definition_id: '<unknown>' },
    { event_definition_id: 'NotificationTestId' },
    { event_definition_type: 'notification-test-v1' },
    { event: { id: 'TEST_NOTIFICATION_ID' } },
    { event: { id: '01JX', event_definition_type: 'notification-test-v1' } },
  ])('is none when somebody pressed the test button: %j', (fields) => {
    expect(alertOf(event(fields))).toBeUndefined();
  });
});
