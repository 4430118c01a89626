/**
 * Code of a screen that could not be fetched: the server is away, or another release has taken its place and no longer has the file.
 * The loader says so in an event of its own; the failure itself is a TypeError like any other.
 */
const lost = new WeakSet<object>();

type Listening = { addEventListener?: (type: string, listener: (event: { payload: object }) => void) => void };
(globalThis as Listening).addEventListener?.('vite:preloadError', ({ payload }) => lost.add(payload));

export function isLostCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && lost.has(error);
}
