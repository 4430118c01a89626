import type { ByteBudget } from './byte-budget.ts';

/**
 * The memory of frames that have begun on any connection and not ended yet. It counts as memory for lines, but may never
 * take all of it: while that is full nothing is read, and no frame would ever end. Beyond its share the connection that
 * holds the most is given up, so that those who send without end cost the others nothing.
 */
export type UnfinishedFrames = {
  /** How much the connection holds from now on. */
  hold(connection: FrameHolder, bytes: number): void;
};

export type FrameHolder = {
  /** Has to let go of what it holds, at once. */
  giveUp(): void;
};

export function createUnfinishedFrames(deps: {
  budget: Pick<ByteBudget, 'hold' | 'give'>;
  maxBytes: number;
}): UnfinishedFrames {
  const { budget, maxBytes } = deps;
  const held = new Map<FrameHolder, number>();
  let total = 0;

  function set(connection: FrameHolder, bytes: number): void {
    const more = bytes - (held.get(connection) ?? 0);
    if (bytes === 0) held.delete(connection);
    else held.set(connection, bytes);
    total += more;
    if (more > 0) budget.hold(more);
    else if (more < 0) budget.give(-more);
  }

  return {
    hold(connection, bytes) {
      set(connection, bytes);
      while (total > maxBytes) {
        const [largest] = [...held].reduce((most, one) => (one[1] > most[1] ? one : most));
        set(largest, 0);
        largest.giveUp();
      }
    },
  };
}
