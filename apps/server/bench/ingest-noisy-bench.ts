import { type IngestTarget, ndjsonBatch, percentile } from './bench-load.ts';
import { type Answer, pacedLoad } from './http-load.ts';

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
const QUIET_PER_S = 10;
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

/** How long each batch took, in ms, from when it was due. */
async function sendQuietly(target: IngestTarget, seconds: number): Promise<number[]> {
  const { url } = target;
  const next = () => deliveryOf(target, nextBatch(QUIET_BATCH));
  const answers = await pacedLoad({ ...{ url, connections: 16, perSecond: QUIET_PER_S, seconds }, next });
  const other = answers.find(({ status }) => status !== 202);
  if (other !== undefined) throw new Error(`A batch of the quiet tenant was answered with ${other.status}.`);
  return answers.map(({ ms }) => ms);
}

async function sendLoudly(target: IngestTarget, { perSecond, seconds }: { perSecond: number; seconds: number }) {
  // Written once: so much JSON would be in the quiet one's figures. A number makes each a delivery of its own.
  const template = deliveryOf(target, nextBatch(LOUD_BATCH));
  const markAt = template.indexOf('"request_id":"') + '"request_id":"'.length;
  const next = (n: number) => {
    const delivery = Buffer.from(template);
    delivery.write(String(n % 100_000).padStart(5, '0'), markAt);
    return delivery;
  };
  const pace = { connections: 64, perSecond: perSecond / LOUD_BATCH, seconds };
  const answers = await pacedLoad({ url: target.url, ...pace, next });
  const answeredWith = (...wanted: number[]) => answers.filter(({ status }) => wanted.includes(status));
  const [taken, refused] = [answeredWith(202), answeredWith(429, 503)];
  if (taken.length + refused.length < answers.length) throw new Error('The loud tenant was answered something else.');
  return { taken: taken.length * LOUD_BATCH, refused: refused.map(({ ms }: Answer) => ms) };
}

function deliveryOf({ url, tenant, source, token }: IngestTarget, body: Buffer): Buffer {
  const head = [
    `POST /api/${tenant}/event/ingest/${source} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/x-ndjson',
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
