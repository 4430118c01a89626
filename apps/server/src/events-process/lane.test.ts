import { expect, it } from 'vitest';
import { createLane, LaneFullError } from './lane.ts';

const forever = new AbortController().signal;

function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

it('runs as many at once as it has workers, the others in order', async () => {
  const lane = createLane({ workers: 2, waiting: 10 });
  const gates = [gate(), gate(), gate(), gate()];
  const started: number[] = [];
  const runs = gates.map((step, n) =>
    lane.run(() => {
      started.push(n);
      return step.passed;
    }, forever),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  gates[1]?.open();
  await runs[1];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  for (const step of gates) step.open();
  await Promise.all(runs);
  expect(started).toEqual([0, 1, 2, 3]);
});

it('refuses what does not fit and goes on afterwards', async () => {
  const lane = createLane({ workers: 1, waiting: 1 });
  const first = gate();
  const running = lane.run(() => first.passed, forever);
  const waiting = lane.run(() => Promise.resolve('second'), forever);
  await expect(lane.run(() => Promise.resolve('third'), forever)).rejects.toBeInstanceOf(LaneFullError);
  first.open();
  await running;
  expect(await waiting).toBe('second');
  expect(await lane.run(() => Promise.resolve('fourth'), forever)).toBe('fourth');
});

it('takes out of the queue what nobody waits for any more', async () => {
  const lane = createLane({ workers: 1, waiting: 5 });
  const first = gate();
  const running = lane.run(() => first.passed, forever);
  const impatient = new AbortController();
  let ran = false;
  const waiting = lane.run(() => {
    ran = true;
    return Promise.resolve();
  }, impatient.signal);
  impatient.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  first.open();
  await running;
  await lane.idle();
  expect(ran).toBe(false);
});

it('frees its worker when the work fails', async () => {
  const lane = createLane({ workers: 1, waiting: 1 });
  await expect(lane.run(() => Promise.reject(new Error('broken')), forever)).rejects.toThrow('broken');
  expect(await lane.run(() => Promise.resolve('next'), forever)).toBe('next');
});
