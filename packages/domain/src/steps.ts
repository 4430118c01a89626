/**
 * Work in small steps, for whoever has to do something else in between: a page that must not freeze takes as many at a time
 * as its frame has room for, everybody else all of them at once. Nothing is to be seen of it before it is done.
 */
export type Steps<T> = Generator<undefined, T>;

/** All steps in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
