/** Waits for outside code, but after an abort only for the grace time: code that ignores its signal is left behind. */
export function settledInTime(work: Promise<unknown>, signal: AbortSignal, graceMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let grace: NodeJS.Timeout | undefined;
    const onAbort = () => {
      grace = setTimeout(() => reject(signal.reason), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
    });
  });
}
