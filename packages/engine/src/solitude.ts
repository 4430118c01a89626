/**
 * When a worker runs a suspect (`suspects.ts`), and what it leaves alone for it.
 *
 *   open ──► draining ──► alone ──► open
 *     └──────────────────►┘
 *
 * open      it takes whatever there is. Once suspects wait and its turn has come, it reserves one, or takes it at once when
 *           it runs nothing.
 * draining  it takes nothing but what is urgent, so that what it runs ends. Back to open when the suspect is gone.
 * alone     the suspect runs and nothing else, but for what is urgent.
 *
 * Always holds: no two suspects in one worker. Others are not kept waiting for long: neither draining nor alone lasts longer
 * than `aloneMs`, and after both others have as much time as they took. What runs longer than that is beside a suspect in the
 * end, which can cost it two leases: then it is a suspect itself. Nor is a suspect kept waiting for ever: its turn comes after
 * that time, whatever else waits, and at once where nothing does.
 *
 * A crash forgets all of it; the first turn of a worker comes late enough that one which is ended by every suspect gets other
 * work done in between.
 */
const LOOK_AGAIN_MS = 1_000;

export type SolitudeDeps = {
  /** Milliseconds that only grow. */
  readonly nowMs: () => number;
  readonly aloneMs: number;
  /** Until the first turn while other work waits. */
  readonly firstTurnMs: number;
  readonly isHeld: (jobId: string) => boolean;
};

/** What the worker last saw waiting, and what it runs. */
export type Surroundings = {
  readonly suspectsWait: boolean;
  readonly othersWait: boolean;
  /** Jobs it runs that are not urgent. */
  readonly running: number;
};

/** What the worker is to do now, before it claims others. */
export type SolitudeMove =
  | { readonly type: 'none' }
  | { readonly type: 'reserve' }
  | { readonly type: 'keep'; readonly jobId: string }
  | { readonly type: 'take'; readonly reserved: string | null };

export interface Solitude {
  /** Whether anything but a suspect and what is urgent may begin. */
  isOpen(): boolean;
  move(seen: Surroundings): SolitudeMove;
  reserved(jobId: string): void;
  taken(jobId: string): void;
  /** There was none to reserve or to take, or the reserved one is gone. */
  missed(): void;
}

type State =
  | { readonly type: 'open' }
  /** `jobId` is null where nothing was left to end, so that none was reserved. */
  | { readonly type: 'draining'; readonly jobId: string | null; readonly sinceMs: number }
  | { readonly type: 'alone'; readonly jobId: string; readonly sinceMs: number; readonly turnSinceMs: number };

export function createSolitude({ nowMs, aloneMs, firstTurnMs, isHeld }: SolitudeDeps): Solitude {
  let state: State = { type: 'open' };
  let turnAtMs = nowMs() + firstTurnMs;
  let looksAgainAtMs = Number.NEGATIVE_INFINITY;
  /** The last one taken; it may go on after its time alone. */
  let suspect: string | null = null;

  const runsSuspect = () => suspect !== null && isHeld(suspect);

  /** The others' turn, as long as the one before it. */
  function open(turnSinceMs: number): void {
    state = { type: 'open' };
    turnAtMs = 2 * nowMs() - turnSinceMs;
  }

  function endAlone(): void {
    if (state.type !== 'alone') return;
    if (!isHeld(state.jobId) || nowMs() - state.sinceMs >= aloneMs) open(state.turnSinceMs);
  }

  function moveFromOpen({ suspectsWait, othersWait, running }: Surroundings): SolitudeMove {
    if (!suspectsWait || runsSuspect() || nowMs() < looksAgainAtMs) return { type: 'none' };
    const isDue = nowMs() >= turnAtMs;
    if (running > 0) return isDue ? { type: 'reserve' } : { type: 'none' };
    if (othersWait && !isDue) return { type: 'none' };
    // Closed from here on, or what ends meanwhile would hand over its next step.
    state = { type: 'draining', jobId: null, sinceMs: nowMs() };
    return { type: 'take', reserved: null };
  }

  return {
    isOpen() {
      endAlone();
      return state.type === 'open';
    },
    move(seen) {
      endAlone();
      if (state.type === 'open') return moveFromOpen(seen);
      if (state.type === 'alone') return { type: 'none' };
      const { jobId, sinceMs } = state;
      const mayTake = jobId === null || seen.running === 0 || nowMs() - sinceMs >= aloneMs;
      return mayTake ? { type: 'take', reserved: jobId } : { type: 'keep', jobId };
    },
    reserved(jobId) {
      state = { type: 'draining', jobId, sinceMs: nowMs() };
    },
    taken(jobId) {
      const sinceMs = nowMs();
      state = { type: 'alone', jobId, sinceMs, turnSinceMs: state.type === 'draining' ? state.sinceMs : sinceMs };
      suspect = jobId;
    },
    missed() {
      looksAgainAtMs = nowMs() + LOOK_AGAIN_MS;
      if (state.type === 'draining') open(state.sinceMs);
    },
  };
}
