import { expect, test } from 'vitest';
import { watchIdle } from './idle-watch.ts';

test('time counts from when the page was opened, and again from each touch of it', () => {
  const clock = { now: 1_000 };
  const page = new EventTarget();
  const idleMs = watchIdle(page, () => clock.now);
  clock.now += 90_000;
  expect(idleMs()).toBe(90_000);
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
    page.dispatchEvent(new Event(kind));
    expect([kind, idleMs()]).toEqual([kind, 0]);
    clock.now += 5_000;
  }
  // What a page does by itself is no touch.
  page.dispatchEvent(new Event('visibilitychange'));
  expect(idleMs()).toBe(5_000);
});
