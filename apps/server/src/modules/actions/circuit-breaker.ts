/**
 * Circuit breakers: a system that does not answer is left alone for a while, so that calls to it neither hold workers for
 * their whole time limit nor keep it from coming back. Each circuit stands for one connector as it is configured.
 *
 *   closed     calls are made. Failures in a row are counted; an answer, also one that refuses, begins the count anew.
 *              The fifth failure in a row → open
 *   open       no call is made for 30 seconds. The first one after that is made, as the probe → half-open
 *   half-open  every other call is refused. The probe was answered, though it goes on → closed; it failed → open; it said
 *              neither, as one that was cancelled: the next call is the probe
 *
 * Always: one probe at a time, unless one has not reported for two minutes. A result counts only while the circuit is as it
 * was when the call was let through, so that late ones of a time before neither open nor close it. A changed configuration,
 * a crash, and a table that is full begin closed: then a few calls more are made, and nothing else is lost.
 */
import { isStillAhead } from '../../still-ahead.ts';

export const FAILURES_IN_A_ROW = 5;
export const OPEN_MS = 30_000;
/** Until a call that met a probe is tried again: long enough that many who wait cost little, and a probe is soon over. */
export const PROBE_WAIT_MS = 10_000;
export const PROBE_MAX_MS = 120_000;
/** Whoever was called longest ago gives way. */
export const CIRCUITS_MAX = 10_000;

/** `failed`: the system does not answer. `unknown`: the call says nothing about that. */
export type CallResult = 'answered' | 'failed' | 'unknown';

/** `version` differs after every change of the connector. */
type Connection = { readonly tenantId: string; readonly connectorId: string; readonly version: string };

type State =
  | { readonly is: 'closed'; readonly version: string; failures: number }
  | { readonly is: 'open'; readonly version: string; readonly untilMs: number }
  | { readonly is: 'half-open'; readonly version: string; readonly givenUpAtMs: number };

/** Of a call that may be made: who makes it reports how it ended, once. */
export type Pass = {
  readonly report: (result: CallResult) => void;
  /** Before that, any number of times: a probe that makes several calls keeps nobody waiting once one of them was answered. */
  readonly answered: () => void;
};
/** `isProbing`: another call finds out whether the system answers again. */
export type Refusal = { readonly refusedForMs: number; readonly isProbing: boolean };

/** Since the start. */
export type CircuitCounts = { readonly opened: number; readonly refused: number };

export type CircuitBreakers = {
  enter(connection: Connection): Pass | Refusal;
  counts(): CircuitCounts;
};

export function createCircuitBreakers({ now }: { now: () => Date }): CircuitBreakers {
  /** By connector, the one called last at the end. */
  const circuits = new Map<string, State>();
  let opened = 0;
  let refused = 0;

  function put(key: string, state: State): State {
    circuits.delete(key);
    const [oldest] = circuits.keys();
    if (circuits.size >= CIRCUITS_MAX && oldest !== undefined) circuits.delete(oldest);
    circuits.set(key, state);
    return state;
  }

  /** The state a call is made in, or why it is not made. */
  function admit(known: State): State | Refusal {
    const at = now().getTime();
    if (known.is === 'closed') return known;
    if (known.is === 'open' && isStillAhead(known.untilMs, { at, lastsMs: OPEN_MS })) {
      return { refusedForMs: known.untilMs - at, isProbing: false };
    }
    if (known.is === 'half-open' && isStillAhead(known.givenUpAtMs, { at, lastsMs: PROBE_MAX_MS })) {
      return { refusedForMs: PROBE_WAIT_MS, isProbing: true };
    }
    return { is: 'half-open', version: known.version, givenUpAtMs: at + PROBE_MAX_MS };
  }

  function report(key: string, state: State, result: CallResult): void {
    if (circuits.get(key) !== state) return;
    const { version } = state;
    if (result === 'answered') {
      if (state.is === 'closed') state.failures = 0;
      else put(key, { is: 'closed', version, failures: 0 });
      return;
    }
    const at = now().getTime();
    if (result === 'failed') {
      if (state.is === 'closed') state.failures += 1;
      if (state.is === 'closed' && state.failures < FAILURES_IN_A_ROW) return;
      if (state.is === 'closed') opened += 1;
      put(key, { is: 'open', version, untilMs: at + OPEN_MS });
      return;
    }
    if (state.is === 'half-open') put(key, { is: 'open', version, untilMs: at });
  }

  return {
    enter({ tenantId, connectorId, version }) {
      const key = `${tenantId} ${connectorId}`;
      const stored = circuits.get(key);
      const known: State = stored?.version === version ? stored : { is: 'closed', version, failures: 0 };
      const admitted = admit(known);
      if ('refusedForMs' in admitted) {
        refused += 1;
        put(key, known);
        return admitted;
      }
      put(key, admitted);
      return {
        report: (result) => report(key, admitted, result),
        answered() {
          if (admitted.is === 'half-open') report(key, admitted, 'answered');
        },
      };
    },
    counts: () => ({ opened, refused }),
  };
}
