/**
 * Batch after batch, until one is not full or the signal is aborted, and how much it was in all. What is left then is for the
 * next time: work that goes on after its caller has left it would never end.
 */
export async function inBatches(size: number, batch: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let all = 0;
  for (let done = size; done === size && signal?.aborted !== true; all += done) done = await batch();
  return all;
}
