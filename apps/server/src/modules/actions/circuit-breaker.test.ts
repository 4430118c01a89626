import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CallResult,
  CIRCUITS_MAX,
  createCircuitBreakers,
  FAILURES_IN_A_ROW,
  OPEN_MS,
  type Pass,
  PROBE_MAX_MS,
  PROBE_WAIT_MS,
} from './circuit-breaker.ts';

const connection = (connectorId = 'a', version = '1', tenantId = 't') => ({ tenantId, connectorId, version });

function setUp() {
  const clock = { ms: 1_000_000 };
  const breakers = createCircuitBreakers({ now: () => new Date(clock.ms) });
  function pass(of = connection()): Pass {
    const entered = breakers.enter(of);
    if ('refusedForMs' in entered) throw new Error('The call was refused.');
    return entered;
  }
  return {
    breakers,
    clock,
    pass,
    fail(times: number, of = connection()) {
      for (let made = 0; made < times; made += 1) pass(of).report('failed');
    },
  };
}

const open = { refusedForMs: OPEN_MS, isProbing: false };
const probing = { refusedForMs: PROBE_WAIT_MS, isProbing: true };

describe('a circuit', () => {
  it('opens at the fifth failure in a row, and says how long it stays so', () => {
    const { breakers, clock, fail } = setUp();
    fail(FAILURES_IN_A_ROW - 1);
    fail(1);
    expect(breakers.enter(connection())).toEqual(open);
    clock.ms += OPEN_MS - 1;
    expect(breakers.enter(connection())).toEqual({ refusedForMs: 1, isProbing: false });
    expect(breakers.counts()).toEqual({ opened: 1, refused: 2 });
  });

  it('counts no failures that an answer came between, and none of calls that say nothing', () => {
    const { breakers, fail, pass } = setUp();
    fail(FAILURES_IN_A_ROW - 1);
    pass().report('answered');
    fail(FAILURES_IN_A_ROW - 1);
    for (let made = 0; made < 20; made += 1) pass().report('unknown');
    fail(1);
    expect(breakers.enter(connection())).toEqual(open);
  });

  it('lets one call through after half a minute and no other until that one is over', () => {
    const { breakers, clock, fail, pass } = setUp();
    fail(FAILURES_IN_A_ROW);
    clock.ms += OPEN_MS;
    const probe = pass();
    expect(breakers.enter(connection())).toEqual(probing);
    probe.report('failed');
    expect(breakers.enter(connection())).toEqual(open);
    clock.ms += OPEN_MS;
    pass().report('answered');
    fail(FAILURES_IN_A_ROW - 1);
    pass().report('answered');
    expect(breakers.counts().opened).toBe(1);
  });

  it('closes as soon as its probe is answered, whatever becomes of that one later', () => {
    const { breakers, clock, fail, pass } = setUp();
    fail(FAILURES_IN_A_ROW);
    clock.ms += OPEN_MS;
    const probe = pass();
    probe.answered();
    pass();
    probe.report('failed');
    fail(FAILURES_IN_A_ROW - 1);
    pass();
    // Of one that is no probe it says nothing: what comes at its end does.
    for (const other of [pass()]) {
      other.answered();
      other.report('failed');
    }
    expect(breakers.enter(connection())).toEqual(open);
  });

  it.each<[string, (probe: Pass, clock: { ms: number }) => void]>([
    ['was cancelled', (probe) => probe.report('unknown')],
    [
      'never reported',
      (_, clock) => {
        clock.ms += PROBE_MAX_MS;
      },
    ],
  ])('lets the next call through when the probe %s', (_name, ends) => {
    const { breakers, clock, fail, pass } = setUp();
    fail(FAILURES_IN_A_ROW);
    clock.ms += OPEN_MS;
    const probe = pass();
    ends(probe, clock);
    const second = pass();
    expect(breakers.enter(connection())).toEqual(probing);
    probe.report('answered');
    expect(breakers.enter(connection())).toEqual(probing);
    second.report('answered');
    pass();
  });

  it('does not mind calls that end after it has opened, closed or begun anew', () => {
    const { breakers, clock, fail, pass } = setUp();
    const late = Array.from({ length: 20 }, () => pass());
    fail(FAILURES_IN_A_ROW);
    late.pop()?.report('answered');
    late.pop()?.report('failed');
    expect(breakers.enter(connection())).toEqual(open);
    clock.ms += OPEN_MS;
    pass().report('answered');
    for (const call of late) call.report('failed');
    pass();
  });

  it('begins anew with another configuration, and is of one connector of one tenant', () => {
    const { breakers, fail, pass } = setUp();
    fail(FAILURES_IN_A_ROW);
    pass(connection('b'));
    pass(connection('a', '1', 'other'));
    expect(breakers.enter(connection())).toEqual(open);
    pass(connection('a', '2'));
  });

  it('is not open for hours when the clock is put back', () => {
    const { clock, fail, pass } = setUp();
    fail(FAILURES_IN_A_ROW);
    clock.ms -= 3_600_000;
    pass();
  });

  it('is forgotten when more are called than a process remembers, the one called longest ago first', () => {
    const { breakers, fail, pass } = setUp();
    fail(FAILURES_IN_A_ROW, connection('forgotten'));
    fail(FAILURES_IN_A_ROW, connection('asked for'));
    for (let n = 0; n < CIRCUITS_MAX - 1; n += 1) {
      pass(connection(`n${n}`));
      if (n === CIRCUITS_MAX / 2) breakers.enter(connection('asked for'));
    }
    pass(connection('forgotten'));
    expect(breakers.enter(connection('asked for'))).toEqual(open);
  });
});

type Command =
  | { readonly does: 'call' }
  | { readonly does: 'wait'; readonly ms: number }
  | { readonly does: 'change' }
  | { readonly does: 'report'; readonly pick: number; readonly result: CallResult };

const commands = fc.array(
  fc.oneof(
    { weight: 14, arbitrary: fc.constant<Command>({ does: 'call' }) },
    {
      weight: 4,
      arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(1, 9_000, 30_000, 120_000) }),
    },
    { weight: 1, arbitrary: fc.constant<Command>({ does: 'change' }) },
    {
      weight: 14,
      arbitrary: fc.record({
        does: fc.constant('report' as const),
        pick: fc.nat(20),
        result: fc.constantFrom<CallResult>(
          'failed',
          'failed',
          'failed',
          'failed',
          'failed',
          'failed',
          'answered',
          'unknown',
        ),
      }),
    },
  ),
  { maxLength: 120, size: 'max' },
);

/** What the rules say, kept as what has happened rather than as a state. */
function createModel() {
  let turn = 0;
  let row = 0;
  let openedAt: number | undefined;
  let probe: { readonly id: number; readonly since: number } | undefined;
  let lastId = 0;
  const made = new Map<number, { turn: number; isProbe: boolean }>();
  const renew = () => {
    turn += 1;
    row = 0;
    openedAt = undefined;
    probe = undefined;
  };
  return {
    renew,
    /** The id of a call that is made. */
    call(at: number): number | undefined {
      if (probe && at - probe.since < PROBE_MAX_MS) return undefined;
      if (!probe && openedAt !== undefined && at - openedAt < OPEN_MS) return undefined;
      lastId += 1;
      const isProbe = openedAt !== undefined;
      if (isProbe) probe = { id: lastId, since: at };
      made.set(lastId, { turn, isProbe });
      return lastId;
    },
    report(id: number, result: CallResult, at: number): void {
      const call = made.get(id);
      made.delete(id);
      if (!call || call.turn !== turn || (openedAt !== undefined && probe?.id !== id)) return;
      if (result === 'answered') {
        if (call.isProbe) renew();
        row = 0;
      } else if (call.isProbe) {
        probe = undefined;
        openedAt = result === 'failed' ? at : at - OPEN_MS;
      } else if (result === 'failed') {
        row += 1;
        if (row === FAILURES_IN_A_ROW) {
          turn += 1;
          openedAt = at;
        }
      }
    },
  };
}

describe('a circuit, whatever is called and however it ends', () => {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 1_000_000_000);

  it(`lets through what the rules let through (seed ${seed})`, () => {
    let [refusedCalls, probes] = [0, 0];
    fc.assert(
      fc.property(commands, (list) => {
        const { breakers, clock } = setUp();
        const model = createModel();
        const under: { id: number; pass: Pass }[] = [];
        let version = 1;
        for (const command of list) {
          if (command.does === 'wait') clock.ms += command.ms;
          if (command.does === 'change') {
            version += 1;
            model.renew();
          }
          if (command.does === 'call') {
            const entered = breakers.enter(connection('a', `${version}`));
            const id = model.call(clock.ms);
            expect('report' in entered).toBe(id !== undefined);
            if ('report' in entered && id !== undefined) under.push({ id, pass: entered });
            else refusedCalls += 1;
            if ('isProbing' in entered) {
              expect(entered.refusedForMs).toBeGreaterThan(0);
              expect(entered.refusedForMs).toBeLessThanOrEqual(OPEN_MS);
              probes += entered.isProbing ? 1 : 0;
            }
          }
          if (command.does === 'report' && under.length > 0) {
            const [ended] = under.splice(command.pick % under.length, 1);
            ended?.pass.report(command.result);
            if (ended) model.report(ended.id, command.result, clock.ms);
          }
        }
      }),
      { seed, numRuns: 1_000 },
    );
    expect(refusedCalls).toBeGreaterThan(100);
    expect(probes).toBeGreaterThan(10);
  });
});
