import type { Steps } from '@airdeck/domain/steps';

/** A frame has sixteen milliseconds, and the page is drawn in what is left of them. */
const TURN_MS = 8;

/** Does the steps without keeping the page from answering. Throws what the signal gives as its reason. */
export async function inTurns<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const until = performance.now() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** Lets the page do what waits. Not by a timer: in a tab nobody looks at, those come once a second. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
