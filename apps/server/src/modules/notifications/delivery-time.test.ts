import type { NotificationPreferences } from '@airdeck/contracts/notifications/schema';
import { describe, expect, it } from 'vitest';
import { defaultPreferences } from './default-preferences.ts';
import { deliveryTime } from './delivery-time.ts';

type Change = Partial<Pick<NotificationPreferences, 'digest' | 'quiet_hours'>>;

function due(now: string, change: Change, timeZone = 'UTC', channel: 'mail' | 'webhook' = 'mail'): string {
  const preferences = { ...defaultPreferences, ...change };
  return deliveryTime(new Date(now), { preferences, timeZone }, channel).toISOString();
}

const night = { quiet_hours: { enabled: true, from: '22:00', to: '07:00' } };
const lunch = { quiet_hours: { enabled: true, from: '12:00', to: '13:30' } };

describe('when a delivery is due', () => {
  it.each([
    ['at once where nothing holds it', '2026-11-21T12:34:56.000Z', {}, 'UTC', '2026-11-21T12:34:56.000Z'],
    ['with the next full hour', '2026-11-21T12:34:56.000Z', { digest: 'hourly' }, 'UTC', '2026-11-21T13:00:00.000Z'],
    [
      'with the hour of the zone',
      '2026-11-21T12:10:00.000Z',
      { digest: 'hourly' },
      'Asia/Kolkata',
      '2026-11-21T12:30:00.000Z',
    ],
    [
      'a whole hour later on the hour',
      '2026-11-21T12:00:30.000Z',
      { digest: 'hourly' },
      'UTC',
      '2026-11-21T13:00:00.000Z',
    ],
    [
      'at eight in the morning there',
      '2026-11-21T12:00:00.000Z',
      { digest: 'daily' },
      'America/Sao_Paulo',
      '2026-11-22T11:00:00.000Z',
    ],
    ['at eight the same day', '2026-11-21T05:00:00.000Z', { digest: 'daily' }, 'UTC', '2026-11-21T08:00:00.000Z'],
    ['after the night', '2026-11-21T23:10:00.000Z', night, 'UTC', '2026-11-22T07:00:00.000Z'],
    ['after the night that began yesterday', '2026-11-21T03:10:00.000Z', night, 'UTC', '2026-11-21T07:00:00.000Z'],
    ['at once when the night is over', '2026-11-21T07:00:00.000Z', night, 'UTC', '2026-11-21T07:00:00.000Z'],
    [
      'at once before the night by their clock',
      '2026-11-21T23:10:00.000Z',
      night,
      'America/Sao_Paulo',
      '2026-11-21T23:10:00.000Z',
    ],
    ['after lunch', '2026-11-21T12:00:00.000Z', lunch, 'UTC', '2026-11-21T13:30:00.000Z'],
    [
      'after the night, whatever the hour',
      '2026-11-21T22:30:00.000Z',
      { digest: 'hourly', ...night },
      'UTC',
      '2026-11-22T07:00:00.000Z',
    ],
    ['by UTC in a zone nobody knows', '2026-11-21T23:10:00.000Z', night, 'Mars/Olympus', '2026-11-22T07:00:00.000Z'],
    ['by UTC without a zone', '2026-11-21T23:10:00.000Z', night, '', '2026-11-22T07:00:00.000Z'],
    // In Berlin clocks went back on 2026-10-25 at 03:00, and go forward on 2027-03-28 at 02:00.
    ['after the long night', '2026-10-24T21:00:00.000Z', night, 'Europe/Berlin', '2026-10-25T06:00:00.000Z'],
    ['after the short night', '2027-03-27T22:00:00.000Z', night, 'Europe/Berlin', '2027-03-28T05:00:00.000Z'],
  ] as const)('is %s', (_name, now, change, zone, expected) => {
    expect(due(now, change as Change, zone)).toBe(expected);
  });

  it('is not changed by a digest for webhooks, but by the quiet hours', () => {
    const now = '2026-11-21T23:10:00.000Z';
    expect(due(now, { digest: 'daily' }, 'UTC', 'webhook')).toBe(now);
    expect(due(now, night, 'UTC', 'webhook')).toBe('2026-11-22T07:00:00.000Z');
  });
});
