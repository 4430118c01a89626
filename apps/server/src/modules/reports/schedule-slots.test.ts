import { describe, expect, it } from 'vitest';
import { coveredBy, coveredWords, latestSlot, nextSlot, type SlotRule } from './schedule-slots.ts';

const rule = (period: SlotRule['period'], at: string, zone: string): SlotRule => {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return { period, at_minute: hours * 60 + minutes, time_zone: zone, covers_days: null };
};
const at = (text: string) => new Date(text);
const iso = ({ start, end }: { start: Date; end: Date }) => [start.toISOString(), end.toISOString()];

describe('a daily report', () => {
  it('covers yesterday of its zone, from midnight to midnight', () => {
    const daily = rule('daily', '06:00', 'America/New_York');
    const slot = nextSlot(daily, at('2026-11-21T12:00:00Z'));
    expect(slot).toEqual(at('2026-11-22T11:00:00Z'));
    expect(iso(coveredBy(daily, slot))).toEqual(['2026-11-21T05:00:00.000Z', '2026-11-22T05:00:00.000Z']);
    expect(coveredWords(daily, slot)).toBe('2026-11-21');
  });

  it.each([
    // Clocks go forward at 2 on 2026-03-29: a day of 23 hours.
    ['2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z', 23],
    // And back at 3 on 2026-10-25: a day of 25.
    ['2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z', 25],
  ])('covers the whole day on which clocks are moved (%s)', (after, start, end, hours) => {
    const daily = rule('daily', '06:00', 'Europe/Berlin');
    const covered = coveredBy(daily, nextSlot(daily, at(after)));
    expect(iso(covered)).toEqual([start, end]);
    expect((covered.end.getTime() - covered.start.getTime()) / 3_600_000).toBe(hours);
  });

  it('is made once on a day that has its minute twice, and once on a day that leaves it out', () => {
    const twice = rule('daily', '02:30', 'Europe/Berlin');
    expect(slotsBetween(twice, '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    expect(slotsBetween(twice, '2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });
});

describe('a weekly report', () => {
  it('is made on Monday and covers Monday to Sunday', () => {
    const weekly = rule('weekly', '07:15', 'Asia/Kathmandu');
    const slot = nextSlot(weekly, at('2026-11-21T12:00:00Z'));
    expect(slot).toEqual(at('2026-11-23T01:30:00Z'));
    expect(iso(coveredBy(weekly, slot))).toEqual(['2026-11-15T18:15:00.000Z', '2026-11-22T18:15:00.000Z']);
    expect(coveredWords(weekly, slot)).toBe('2026-11-16 to 2026-11-22');
  });
});

describe('a monthly report', () => {
  it('is made on the first and covers the month before, over the end of a year too', () => {
    const monthly = rule('monthly', '00:00', 'UTC');
    const slot = nextSlot(monthly, at('2026-12-15T00:00:00Z'));
    expect(slot).toEqual(at('2027-01-01T00:00:00Z'));
    expect(iso(coveredBy(monthly, slot))).toEqual(['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']);
    expect(coveredWords(monthly, slot)).toBe('2026-12');
  });
});

describe('a schedule that says how many days it covers', () => {
  it.each([
    ['daily', 7, '2026-11-22', '2026-11-15 to 2026-11-21'],
    ['daily', 1, '2026-11-22', '2026-11-21'],
    ['weekly', 30, '2026-11-23', '2026-10-24 to 2026-11-22'],
    ['monthly', 90, '2026-12-01', '2026-09-02 to 2026-11-30'],
  ] as const)('%s over %i days looks back from the day it is made on', (period, covers_days, day, words) => {
    const wide = { ...rule(period, '06:00', 'Europe/Berlin'), covers_days };
    const slot = nextSlot(wide, at('2026-11-21T12:00:00Z'));
    expect(slot.toISOString()).toContain(day);
    expect(coveredWords(wide, slot)).toBe(words);
  });

  it('covers whole days of its zone, also over the night clocks are moved in', () => {
    const wide = { ...rule('daily', '06:00', 'Europe/Berlin'), covers_days: 2 };
    const covered = coveredBy(wide, nextSlot(wide, at('2026-10-25T12:00:00Z')));
    expect(iso(covered)).toEqual(['2026-10-23T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  });
});

const rules = (['daily', 'weekly', 'monthly'] as const).flatMap((period) =>
  ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'].flatMap(
    (zone) => ['00:00', '02:30', '23:59'].map((time) => rule(period, time, zone)),
  ),
);

describe.each(rules)('slots of $period at $at_minute in $time_zone', (one) => {
  it('cover a year and more without a gap and without an overlap, and every process finds the same ones', () => {
    let slot = nextSlot(one, at('2025-12-01T12:00:00Z'));
    for (let n = 0; slot < at('2027-02-02T00:00:00Z') && n < 500; n++) {
      const next = nextSlot(one, slot);
      expect(next > slot).toBe(true);
      expect(coveredBy(one, next).start).toEqual(coveredBy(one, slot).end);
      expect(coveredBy(one, slot).end <= slot).toBe(true);
      expect(latestSlot(one, slot)).toEqual(slot);
      expect(latestSlot(one, new Date(next.getTime() - 1))).toEqual(slot);
      slot = next;
    }
  });
});

function slotsBetween(one: SlotRule, from: string, until: string): string[] {
  const slots: string[] = [];
  for (let slot = nextSlot(one, at(from)); slot < at(until); slot = nextSlot(one, slot)) slots.push(slot.toISOString());
  return slots;
}
