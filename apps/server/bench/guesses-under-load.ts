/** A steady load of ordinary events, with bursts of guessed passwords in between that the policy of that name finds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type createSender, ndjsonBatch } from './bench-load.ts';

const SLICE_MS = 50;
const PROBE_EVERY_MS = 100;
/** Events of one burst. */
export const GUESSES = 6;

type Load = { readonly eventsPerS: number; readonly seconds: number };

/**
 * Calls `probe` ten times a second while the events are sent. Resolves when all of it was answered, with the events per
 * second that were reached; throws when any are refused.
 */
export async function underLoad(
  sender: ReturnType<typeof createSender>,
  { eventsPerS, seconds }: Load,
  probe: (turn: number) => Promise<void>,
): Promise<number> {
  const working: Promise<void>[] = [];
  let sent = 0;
  const started = performance.now();
  for (let slice = 0, probes = 0; performance.now() - started < seconds * 1_000; slice++) {
    const count = Math.round((eventsPerS * SLICE_MS) / 1_000);
    working.push(
      sender.send(ndjsonBatch(sent, count, Date.now())).then(({ status }) => {
        if (status !== 202) throw new Error(`Background events were answered with ${status}.`);
      }),
    );
    sent += count;
    if ((slice * SLICE_MS) / PROBE_EVERY_MS >= probes) working.push(probe(probes++));
    await sleep(Math.max(0, started + (slice + 1) * SLICE_MS - performance.now()));
  }
  const elapsedS = (performance.now() - started) / 1_000;
  await Promise.all(working);
  return Math.round(sent / elapsedS);
}

/** What completes a burst of one address, in one delivery. */
export function guesses(address: string): Buffer {
  const stamp = new Date().toISOString();
  const line = (n: number) =>
    `<38>1 ${stamp} bench sshd ${n} - - Failed password for root from ${address} port ${n} ssh2`;
  return Buffer.from(Array.from({ length: GUESSES }, (_, n) => line(n + 1)).join('\n'));
}
