/** Runs something once; the answer calls it off. */
export type WhenIdle = (run: () => void) => () => void;

/** Where browsers do not tell when they are idle: past what a screen does first. */
const GUESS_MS = 1500;

/** Waits until the browser has nothing to do. */
export const whenIdle: WhenIdle = (run) => {
  // Not in Safari, whatever the types say.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(run, GUESS_MS);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(run);
  return () => window.cancelIdleCallback(handle);
};
