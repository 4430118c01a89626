import { setTimeout as wait } from 'node:timers/promises';
import { createSender, type IngestTarget, ndjsonBatch, percentile } from './bench-load.ts';

export type NoisyOptions = {
  quiet: IngestTarget & { countStored: () => Promise<number> };
  loud: IngestTarget;
  /** Events a second that a tenant may send, as the server was told; the loud one sends twenty times as many. */
  quota: number;
  /** Of each of the two halves. */
  seconds: number;
};

export type NoisyResult = {
  alone_p50_ms: number;
  alone_p99_ms: number;
  beside_p50_ms: number;
  beside_p99_ms: number;
  beside_ratio: number;
  loud_taken_per_s: number;
  loud_refused_p99_ms: number;
};

const QUIET_BATCH = 50;
const QUIET_EVERY_MS = 100;
const LOUD_BATCH = 500;
const TIMES_QUOTA = 20;

/**
 * How fast a tenant's batches are acknowledged alone, and beside another that sends at twenty times its quota and heeds no
 * `Retry-After`. Throws when any batch of the quiet one is refused or missing, or the loud one got more than its quota and its
 * burst.
 */
export async function runNoisyBench({ quiet, loud, quota, seconds }: NoisyOptions): Promise<NoisyResult> {
  const before = await quiet.countStored();
  const alone = await sendQuietly(quiet, seconds);
  const [beside, noise] = await Promise.all([
    sendQuietly(quiet, seconds),
    sendLoudly(loud, { perSecond: quota * TIMES_QUOTA, seconds }),
  ]);
  const stored = (await quiet.countStored()) - before;
  const sent = (alone.length + beside.length) * QUIET_BATCH;
  if (stored !== sent) throw new Error(`${sent} events of the quiet tenant were acknowledged, ${stored} are stored.`);
  // What ten seconds allow may come at once, and one batch of more.
  const most = quota * (seconds + 10) + LOUD_BATCH;
  if (noise.taken > most) throw new Error(`${noise.taken} events of the loud tenant were taken, more than ${most}.`);
  if (noise.refused.length === 0) throw new Error('The loud tenant was not refused anything.');
  const [aloneP99, besideP99] = [percentile(alone, 0.99), percentile(beside, 0.99)];
  return {
    alone_p50_ms: percentile(alone, 0.5),
    alone_p99_ms: aloneP99,
    beside_p50_ms: percentile(beside, 0.5),
    beside_p99_ms: besideP99,
    beside_ratio: besideP99 / aloneP99,
    loud_taken_per_s: Math.round(noise.taken / seconds),
    loud_refused_p99_ms: percentile(noise.refused, 0.99),
  };
}

let numbered = 0;

function nextBatch(size: number): Buffer {
  numbered += size;
  return ndjsonBatch(numbered - size, size, Date.now() - 60_000);
}

/** A batch every tenth of a second, whether the one before was answered or not; how long each took, in ms. */
async function sendQuietly(target: IngestTarget, seconds: number): Promise<number[]> {
  const sender = createSender(target, 16);
  const sends: Promise<number>[] = [];
  await atAPace({ everyMs: QUIET_EVERY_MS, seconds }, () => {
    const send = async () => {
      const { status, answer, ms } = await sender.send(nextBatch(QUIET_BATCH));
      if (status !== 202) throw new Error(`A batch of the quiet tenant got ${status}: ${JSON.stringify(answer)}`);
      return ms;
    };
    sends.push(send());
  });
  const times = await Promise.all(sends);
  sender.close();
  return times;
}

async function sendLoudly(target: IngestTarget, { perSecond, seconds }: { perSecond: number; seconds: number }) {
  const atOnce = 64;
  const sender = createSender(target, atOnce);
  // Written once: so much JSON would be in the quiet one's figures. A number makes each a delivery of its own.
  const template = nextBatch(LOUD_BATCH);
  const markAt = template.indexOf('"request_id":"') + '"request_id":"'.length;
  const sends: Promise<void>[] = [];
  const refused: number[] = [];
  let taken = 0;
  let inHand = 0;
  await atAPace({ everyMs: (1000 * LOUD_BATCH) / perSecond, seconds }, (n) => {
    if (inHand >= atOnce) return;
    inHand++;
    const body = Buffer.from(template);
    body.write(String(n % 100_000).padStart(5, '0'), markAt);
    const send = async () => {
      const { status, answer, ms } = await sender.send(body);
      inHand--;
      if (status === 202) taken += answer.accepted;
      else if (status === 429 || status === 503) refused.push(ms);
      else throw new Error(`A batch of the loud tenant got ${status}: ${JSON.stringify(answer)}`);
    };
    sends.push(send());
  });
  await Promise.all(sends);
  sender.close();
  return { taken, refused };
}

async function atAPace(
  { everyMs, seconds }: { everyMs: number; seconds: number },
  begin: (n: number) => void,
): Promise<void> {
  const started = performance.now();
  for (let n = 0; n * everyMs < seconds * 1000; n++) {
    const early = started + n * everyMs - performance.now();
    if (early > 0) await wait(early);
    begin(n);
  }
}
