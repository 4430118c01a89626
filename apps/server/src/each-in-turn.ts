type Part = (signal: AbortSignal) => unknown;

type Bounds = {
  /** Ends between two of them, and tells the one whose turn it is to stop. */
  signal?: AbortSignal | undefined;
  /** After this long one is told to stop, so that those behind it get their turn. It is waited for: nothing is left behind at work. */
  partMs?: number;
};

/** Does one after the other. One that fails keeps none of those behind it from their turn; what failed is thrown at the end. */
export async function eachInTurn(parts: readonly Part[], bounds: Bounds = {}): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    bounds.signal?.throwIfAborted();
    try {
      await takeTurn(part, bounds);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
}

async function takeTurn(part: Part, { signal, partMs }: Bounds): Promise<void> {
  const turn = new AbortController();
  const over = partMs === undefined ? undefined : setTimeout(() => turn.abort(), partMs);
  try {
    await part(signal === undefined ? turn.signal : AbortSignal.any([signal, turn.signal]));
  } finally {
    clearTimeout(over);
  }
}
