import { expect, it } from 'vitest';
import { createEqualDeliveries } from './equal-deliveries.ts';

const MINUTE_MS = 60_000;

function newPlaces() {
  const clock = { now: 0 };
  const deliveries = createEqualDeliveries({ now: () => clock.now, openForMs: 10 * MINUTE_MS });
  const take = ({ source = 'a', body = 'x', isHeard = (): boolean => true } = {}) =>
    deliveries.take({ sourceId: source, bodyHash: Buffer.from(body), isHeard });
  return { clock, take };
}

it('gives those that wait at once a place each, and the first that was told leaves its own to the next', () => {
  const { take } = newPlaces();
  const [first, second] = [take(), take()];
  expect([first, second].map(({ number, isRepetition }) => [number, isRepetition])).toEqual([
    [0, false],
    [1, false],
  ]);
  first.leave({ wasTold: true });
  expect(take()).toMatchObject({ number: 0, isRepetition: false });
});

it('leaves the place of who was not told to its repetition for ten minutes, once', () => {
  const { clock, take } = newPlaces();
  take().leave({ wasTold: false });
  clock.now += 9 * MINUTE_MS;
  expect(take()).toMatchObject({ number: 0, isRepetition: true });
  expect(take()).toMatchObject({ number: 1, isRepetition: false });
});

it('takes it for another event when it comes later than anybody repeats', () => {
  const { clock, take } = newPlaces();
  take().leave({ wasTold: false });
  clock.now += 11 * MINUTE_MS;
  expect(take()).toMatchObject({ number: 0, isRepetition: false });
});

it('sees that the sender of what is still in hand went away, and asks no more of it once it was repeated', () => {
  const { take } = newPlaces();
  let isThere = true;
  const first = take({ isHeard: () => isThere });
  isThere = false;
  const again = take();
  expect(again).toMatchObject({ number: 0, isRepetition: true });
  first.leave({ wasTold: false });
  expect(take()).toMatchObject({ number: 1, isRepetition: false });
  again.leave({ wasTold: true });
  expect(take()).toMatchObject({ number: 0, isRepetition: false });
});

it('keeps the moment of the first try while no sender is told, so that nothing done before is taken for it', () => {
  const { clock, take } = newPlaces();
  take().leave({ wasTold: true });
  clock.now = 5;
  take().leave({ wasTold: false });
  clock.now = 8;
  const again = take();
  expect(again).toMatchObject({ number: 0, isRepetition: true, firstTriedAt: 5 });
  again.leave({ wasTold: false });
  clock.now = 9;
  expect(take()).toMatchObject({ number: 0, isRepetition: true, firstTriedAt: 5 });
});

it('knows each source and each body apart', () => {
  const { take } = newPlaces();
  take().leave({ wasTold: false });
  expect(take({ source: 'b' }).isRepetition).toBe(false);
  expect(take({ body: 'y' }).isRepetition).toBe(false);
  expect(take().isRepetition).toBe(true);
});
