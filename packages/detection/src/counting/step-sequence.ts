import { findCount } from './count-window.ts';
import type { Mark } from './timeline.ts';

export type SequencePlan = {
  /** How many steps there are, at least two. */
  readonly steps: number;
  /** From the first step to the last. */
  readonly withinMs: number;
  /** Whether it is enough that each step happened; an event may then stand for several of them. */
  readonly anyOrder?: boolean | undefined;
};

/** Marks of steps 0 to n; of all that end here, the one that began last. */
type Chain = { readonly mark: Mark; readonly before: Chain | undefined; readonly startMs: number };

/**
 * The earliest completed sequence: one mark per step, in order of time and of different events from step to step, no longer
 * than `withinMs`; in any order, the marks of the earliest such time that holds all steps. Undefined when there is none.
 * `marks` in order of time; linear in their number.
 *
 * Per step it is enough to remember the chain that began last, and a second one that ends with another event: an event that
 * fits two steps must not follow itself.
 */
export function findSequence(marks: readonly Mark[], plan: SequencePlan): readonly Mark[] | undefined {
  const { steps, withinMs } = plan;
  if (plan.anyOrder === true) {
    const named = marks.map((mark) => ({ ...mark, value: String(mark.step) }));
    return findCount(named, { count: steps, withinMs, distinct: true });
  }
  const latest: Chain[][] = Array.from({ length: steps }, () => []);
  for (const mark of marks) {
    const chain = extended(mark, latest);
    if (chain === undefined || mark.timeMs - chain.startMs > withinMs) continue;
    if (mark.step === steps - 1) return marksOf(chain);
    latest[mark.step] = bestTwo(latest[mark.step] ?? [], chain);
  }
  return undefined;
}

function extended(mark: Mark, latest: readonly (readonly Chain[])[]): Chain | undefined {
  if (mark.step === 0) return { mark, before: undefined, startMs: mark.timeMs };
  const before = latest[mark.step - 1]?.find((chain) => chain.mark.eventId !== mark.eventId);
  return before === undefined ? undefined : { mark, before, startMs: before.startMs };
}

function bestTwo(known: readonly Chain[], chain: Chain): Chain[] {
  const others = known.filter((one) => one.mark.eventId !== chain.mark.eventId);
  return [chain, ...others].sort((a, b) => b.startMs - a.startMs).slice(0, 2);
}

function marksOf(chain: Chain): Mark[] {
  const marks: Mark[] = [];
  for (let one: Chain | undefined = chain; one !== undefined; one = one.before) marks.unshift(one.mark);
  return marks;
}
