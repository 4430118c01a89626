import { throwAll } from './each-in-turn.ts';

type Part = (signal: AbortSignal) => unknown;

type Bounds = {
  /** Ends between two of them, tells the one whose turn it is to stop, and is thrown. */
  signal: AbortSignal;
  /** For all of them together. */
  forMs: number;
  /** After this long one is told to stop, or sooner where there would not be enough for the others. */
  turnMs: number;
  /** Hears the names of those that were not done when the time was over. */
  onLeft: (names: readonly string[]) => void;
};

/** Less is not worth to begin for. */
const LEAST_TURN_MS = 5_000;

/**
 * Lets them work one after the other. Who is told to stop before it is done is waited for, so that nothing is left behind at
 * work, and comes again behind the others for as long as there is time. One that fails keeps none of those behind it from their
 * turn; what failed is thrown at the end.
 */
export async function shareTime(parts: Readonly<Record<string, Part>>, bounds: Bounds): Promise<void> {
  const { signal, forMs, onLeft } = bounds;
  const end = performance.now() + forMs;
  const waiting = Object.entries(parts);
  const failures: unknown[] = [];
  for (let leftMs = forMs; waiting.length > 0 && leftMs > 0 && !signal.aborted; leftMs = end - performance.now()) {
    const turnMs = Math.min(bounds.turnMs, Math.max(LEAST_TURN_MS, leftMs / waiting.length));
    const [next] = waiting.splice(0, 1);
    if (next === undefined) break;
    try {
      if ((await takeTurn(next[1], { signal, turnMs })) === 'told to stop') waiting.push(next);
    } catch (error) {
      failures.push(error);
    }
  }
  if (signal.aborted) failures.push(signal.reason);
  else if (waiting.length > 0) onLeft(waiting.map(([name]) => name));
  throwAll(failures);
}

async function takeTurn(
  part: Part,
  { signal, turnMs }: { signal: AbortSignal; turnMs: number },
): Promise<'done' | 'told to stop'> {
  const turn = new AbortController();
  const over = setTimeout(() => turn.abort(), turnMs);
  try {
    await part(AbortSignal.any([signal, turn.signal]));
  } catch (error) {
    if (error !== turn.signal.reason || !turn.signal.aborted) throw error;
  } finally {
    clearTimeout(over);
  }
  return turn.signal.aborted ? 'told to stop' : 'done';
}
