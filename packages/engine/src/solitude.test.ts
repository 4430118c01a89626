import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSolitude, type SolitudeMove } from './solitude.ts';

const ALONE_MS = 1_000;
const FIRST_TURN_MS = 500;

type Job = { readonly id: string; readonly isSuspect: boolean; readonly startedMs: number; readonly endsMs: number };

/** A worker with a clock of its own, that does what it is told. */
function createWorld(firstTurnMs = FIRST_TURN_MS) {
  const world = { nowMs: 0, suspects: 0, others: true, jobs: new Map<string, Job>() };
  const solitude = createSolitude({
    nowMs: () => world.nowMs,
    aloneMs: ALONE_MS,
    firstTurnMs,
    isHeld: (id) => world.jobs.has(id),
  });
  let lastId = 0;
  const begin = (isSuspect: boolean, forMs: number): Job => {
    lastId += 1;
    const job = { id: `${lastId}`, isSuspect, startedMs: world.nowMs, endsMs: world.nowMs + forMs };
    world.jobs.set(job.id, job);
    return job;
  };
  function move(): SolitudeMove {
    const { suspects, others, jobs } = world;
    return solitude.move({ suspectsWait: suspects > 0, othersWait: others, running: jobs.size });
  }
  /** One look around, as the worker takes it; a suspect it takes runs for so long. */
  function look(suspectMs = 10): SolitudeMove {
    const next = move();
    if (next.type === 'reserve') {
      if (world.suspects > 0) solitude.reserved('reserved');
      else solitude.missed();
    }
    if (next.type === 'take') {
      if (world.suspects > 0) {
        world.suspects -= 1;
        solitude.taken(begin(true, suspectMs).id);
      } else solitude.missed();
    }
    return next;
  }
  function pass(ms: number): void {
    world.nowMs += ms;
    for (const [id, { endsMs }] of world.jobs) if (endsMs <= world.nowMs) world.jobs.delete(id);
  }
  return { world, solitude, begin, look, pass };
}

describe('the solitude of a suspect', () => {
  it('comes at once where nothing else waits and runs', () => {
    const { world, look, solitude } = createWorld();
    world.others = false;
    world.suspects = 1;
    expect(look().type).toBe('take');
    expect(solitude.isOpen()).toBe(false);
  });

  it('lets a worker that has just started do other work first, for it may be the suspect that makes it start', () => {
    const { world, look, pass, solitude } = createWorld();
    world.suspects = 1;
    expect(look().type).toBe('none');
    expect(solitude.isOpen()).toBe(true);
    pass(FIRST_TURN_MS);
    expect(look().type).toBe('take');
  });

  it('begins when what the worker has is over, and ends with the suspect', () => {
    const { world, look, pass, begin, solitude } = createWorld();
    begin(false, FIRST_TURN_MS + 200);
    world.suspects = 1;
    pass(FIRST_TURN_MS);
    expect(look().type).toBe('reserve');
    expect([look().type, solitude.isOpen()]).toEqual(['keep', false]);
    pass(200);
    expect(look(300)).toEqual({ type: 'take', reserved: 'reserved' });
    pass(299);
    expect([look().type, solitude.isOpen()]).toEqual(['none', false]);
    pass(1);
    expect(solitude.isOpen()).toBe(true);
    world.suspects = 1;
    // The others have as long as the turn took, draining included.
    pass(499);
    expect(look().type).toBe('none');
    pass(1);
    expect(look().type).toBe('take');
  });

  it('does not wait for a reservation that is gone, nor ask for another one all the time', () => {
    const { world, look, pass, begin, solitude } = createWorld(0);
    begin(false, 10_000);
    world.suspects = 1;
    expect(look().type).toBe('reserve');
    solitude.missed();
    expect([solitude.isOpen(), look().type]).toEqual([true, 'none']);
    pass(1_000);
    expect(look().type).toBe('reserve');
  });

  it('is never broken, never two, never for long, and never far', () => {
    const STEP_MS = 50;
    const durations = fc.array(fc.integer({ min: 1, max: 4 * ALONE_MS }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(durations, fc.boolean(), (lasting, lotsOfOthers) => {
        const { world, solitude, begin, look, pass } = createWorld();
        let [next, closedMs, sinceTakenMs] = [0, 0, 0];
        const duration = () => lasting[next++ % lasting.length] ?? 1;
        const suspectOf = () => [...world.jobs.values()].find(({ isSuspect }) => isSuspect);
        let drainsSinceMs: number | null = null;
        for (let n = 0; n < 400; n += 1) {
          world.suspects = 1;
          const [before, others] = [suspectOf(), [...world.jobs.values()].filter(({ isSuspect }) => !isSuspect)];
          const { type } = look(duration());
          if (type === 'reserve') drainsSinceMs = world.nowMs;
          if (type === 'take') {
            expect(before).toBeUndefined();
            if (others.length > 0)
              expect(world.nowMs - (drainsSinceMs ?? world.nowMs)).toBeGreaterThanOrEqual(ALONE_MS);
            sinceTakenMs = 0;
          }
          const suspect = suspectOf();
          if (solitude.isOpen()) {
            if (suspect) expect(world.nowMs - suspect.startedMs).toBeGreaterThanOrEqual(ALONE_MS);
            while (world.jobs.size < (lotsOfOthers ? 4 : 1)) begin(false, duration());
          }
          closedMs = solitude.isOpen() ? 0 : closedMs + STEP_MS;
          expect(closedMs).toBeLessThanOrEqual(2 * ALONE_MS + 4 * STEP_MS);
          // The turn before (both parts and the others' share, twice as long) and a suspect that goes on beside others.
          expect(sinceTakenMs).toBeLessThanOrEqual(FIRST_TURN_MS + 9 * ALONE_MS + 4 * STEP_MS);
          sinceTakenMs += STEP_MS;
          pass(STEP_MS);
        }
      }),
      { numRuns: 50 },
    );
  });
});
