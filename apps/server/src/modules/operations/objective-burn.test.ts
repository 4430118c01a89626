import { BURN_BAD_MIN } from '@airdeck/contracts/operations/objectives';
import { describe, expect, it } from 'vitest';
import { burningNow, burnRate, type Tally } from './objective-burn.ts';

const none: Tally = { good: 0, bad: 0 };
const of = (windows: Record<number, Tally>) =>
  new Map(Object.entries(windows).map(([key, tally]) => [Number(key), tally]));

describe('burn of the room for errors', () => {
  it('is one where the share of bad ones is exactly what the target leaves', () => {
    expect(burnRate('api_answers', { good: 999, bad: 1 })).toBeCloseTo(1);
    expect(burnRate('api_speed', { good: 99, bad: 1 })).toBeCloseTo(1);
    expect(burnRate('api_answers', none)).toBe(0);
  });

  it('alerts only where both windows burn, so that what is over is not told', () => {
    const outage = { good: 900, bad: 100 };
    expect(burningNow('api_answers', of({ 60: outage, 5: outage }))).toBe('urgent');
    expect(burningNow('api_answers', of({ 60: outage, 5: { good: 100, bad: 0 } }))).toBeUndefined();
    expect(burningNow('api_answers', of({ 60: { good: 100_000, bad: 20 }, 5: outage }))).toBeUndefined();
  });

  it('tells a slow burn apart from an urgent one', () => {
    const slow = { good: 99_800, bad: 200 };
    expect(burningNow('api_answers', of({ 4320: slow, 360: slow, 60: slow, 5: slow, 30: slow }))).toBe('slow');
  });

  it('says nothing of a handful of failures at night', () => {
    const few = { good: 1, bad: BURN_BAD_MIN - 1 };
    expect(burningNow('api_answers', of({ 60: few, 5: few, 360: few, 30: few, 4320: few }))).toBeUndefined();
  });
});
