import { setTimeout as sleep } from 'node:timers/promises';
import { createSender, type IngestTarget, percentile } from './bench-load.ts';
import { guesses, underLoad } from './guesses-under-load.ts';

export type DetectLatencyOptions = IngestTarget & {
  /** Bearer token of somebody who may read the tenant's cases. The tenant needs the policy for SSH password guessing. */
  apiKey: string;
  /** Background load, default 1,000. */
  eventsPerS?: number;
  /** Default 20. */
  seconds?: number;
  /** Addresses no other round of this server has used. */
  addresses?: 'first' | 'second';
};

export type DetectLatencyResult = {
  latency_p50_ms: number;
  latency_p99_ms: number;
  cases: number;
  background_per_s: number;
};

const SEEN_WITHIN_MS = 10_000;
const POLL_MS = 10;

/**
 * Time from the acknowledgement of the event that completes a burst to its case being in the list of cases, under a steady
 * load of ordinary events. Throws when a case does not appear within ten seconds or an event is refused.
 */
export async function runDetectLatencyBench(options: DetectLatencyOptions): Promise<DetectLatencyResult> {
  const { eventsPerS = 1_000, seconds = 20, addresses = 'first' } = options;
  const network = addresses === 'first' ? '203.0' : '198.18';
  const sender = createSender(options, 8);
  const latencies: number[] = [];
  const background = await underLoad(sender, { eventsPerS, seconds }, async (turn) => {
    const address = `${network}.${113 + (turn >> 8)}.${turn & 255}`;
    const sent = await sender.send(guesses(address), 'text/plain');
    if (sent.status !== 202) throw new Error(`A burst was answered with ${sent.status}.`);
    latencies.push(await untilCaseIsSeen(options, address));
  });
  sender.close();
  return {
    latency_p50_ms: Math.round(percentile(latencies, 0.5)),
    latency_p99_ms: Math.round(percentile(latencies, 0.99)),
    cases: latencies.length,
    background_per_s: background,
  };
}

async function untilCaseIsSeen({ url, tenant, apiKey }: DetectLatencyOptions, address: string): Promise<number> {
  const started = performance.now();
  const list = `${url}/api/tenants/${tenant}/case?q=${address}&limit=1`;
  while (performance.now() - started < SEEN_WITHIN_MS) {
    const response = await fetch(list, { headers: { authorization: `Bearer ${apiKey}` } });
    if (!response.ok) throw new Error(`The list of cases was answered with ${response.status}.`);
    const { total } = (await response.json()) as { total: number };
    if (total > 0) return performance.now() - started;
    await sleep(POLL_MS);
  }
  throw new Error(`No case for ${address} within ${SEEN_WITHIN_MS / 1_000} s.`);
}
