/**
 * The event loop belongs to everybody: long work is cut into slices, one slice at a time for the whole process. If each work
 * had its own, a request would wait for as many slices per turn of the loop as there is work in hand.
 *
 * What begins in a turn of the loop goes on with the slice of that turn: reading a body, owning its events and making rows of
 * them follow each other without a turn in between, and would hold the loop for a slice each.
 *
 * Between two slices the loop turns until nothing comes in any more. One turn is not enough: libuv accepts one connection per
 * turn, so that with a slice in each, a hundred senders that connect at once would wait for a hundred slices.
 */
import { performance } from 'node:perf_hooks';

const SLICE_MS = 5;
/** After this long it is the turn of the waiting work, whatever else comes in. */
const OTHERS_MS = 8;

const waiting: (() => void)[] = [];
/** Until when waiting work goes on, one after the other, before it is the others' turn again. */
let shareEnd = 0;
/** Until when long work may hold this turn of the loop; undefined as long as none asked. */
let sliceEnd: number | undefined;

function endOfSlice(): number {
  if (sliceEnd === undefined) {
    sliceEnd = performance.now() + SLICE_MS;
    setImmediate(() => {
      sliceEnd = undefined;
    });
  }
  return sliceEnd;
}

function eventsSeen(): number {
  return performance.nodeTiming.uvMetricsInfo.events;
}

/** Others first, from the next turn of the loop on. */
function giveWay(): void {
  const until = performance.now() + OTHERS_MS;
  const goOn = (seen: number | undefined) => {
    const events = eventsSeen();
    // The first look may come before the loop had a turn.
    if (seen === undefined || (events !== seen && performance.now() < until)) setImmediate(goOn, events);
    else {
      shareEnd = performance.now() + SLICE_MS;
      resumeNext();
    }
  };
  setImmediate(goOn, undefined);
}

function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length === 0) return;
  if (performance.now() < shareEnd) setImmediate(resumeNext);
  else giveWay();
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) giveWay();
  });
}

export type Slices = {
  /** Whether others should have their turn now. */
  readonly isOver: boolean;
  /** Lets others go on; resolves when the next slice begins, in the order in which work asked for it. */
  next(): Promise<void>;
};

/** Begins with what is left of this turn's slice. Between looks at `isOver` should be no more than a millisecond of work. */
export function inSlices(): Slices {
  let end = endOfSlice();
  return {
    get isOver() {
      return performance.now() >= end;
    },
    async next() {
      await turn();
      end = endOfSlice();
    },
  };
}
