import { setTimeout as wait } from 'node:timers/promises';
import { createSender, type IngestTarget, ndjsonBatch, percentile } from './bench-load.ts';

export type IngestBenchOptions = IngestTarget & {
  /** Asked of the event store by query, not of a counter: how many events of the source a search would find. */
  countStored: () => Promise<number>;
  /** Default 120,000. */
  events?: number;
  /** Default 500. */
  batchSize?: number;
  /** Default 16. */
  connections?: number;
};

export type IngestBenchResult = { events_per_s: number; ack_p50_ms: number; ack_p99_ms: number };

/**
 * Drives events over HTTP as fast as they are acknowledged. Throws unless every one was accepted and exactly those are
 * stored and searchable the moment the last acknowledgement is there.
 */
export async function runIngestBench(options: IngestBenchOptions): Promise<IngestBenchResult> {
  const { events = 120_000, batchSize = 500, connections = 16, countStored } = options;
  const sender = createSender(options, connections);
  const time = Date.now() - 60_000;
  // Made beforehand: the figure is about the server, not about writing JSON here.
  const bodies = Array.from({ length: Math.ceil(events / batchSize) }, (_, batch) =>
    ndjsonBatch(batch * batchSize, Math.min(batchSize, events - batch * batchSize), time),
  );
  const before = await countStored();
  const acknowledged: number[] = [];
  let accepted = 0;
  let next = 0;
  const drive = async () => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const { status, answer, ms } = await sender.send(body);
      if (status !== 202) throw new Error(`A batch was answered with ${status}: ${JSON.stringify(answer)}`);
      accepted += answer.accepted;
      acknowledged.push(ms);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, drive));
  const seconds = (performance.now() - started) / 1_000;
  const stored = (await countStored()) - before;
  sender.close();
  if (accepted !== events || stored !== events) {
    throw new Error(`${events} events were sent, ${accepted} accepted and ${stored} are searchable.`);
  }
  return {
    events_per_s: Math.round(events / seconds),
    ack_p50_ms: Math.round(percentile(acknowledged, 0.5)),
    ack_p99_ms: Math.round(percentile(acknowledged, 0.99)),
  };
}

export type OverloadOptions = IngestTarget & {
  countStored: () => Promise<number>;
  /** Default 10. */
  seconds?: number;
  /** Senders that repeat what was refused when they are told to. Default 192. */
  connections?: number;
};

export type OverloadResult = {
  overload_accepted_per_s: number;
  overload_refused: number;
  /** Of the first second, in which all of them connect at once. */
  overload_first_p99_ms: number;
  /** Of all later ones. */
  overload_refused_p50_ms: number;
  overload_refused_p99_ms: number;
};

const LARGE_BATCH = 1_000;
const FIRST_MS = 900;
/** Room for a number in each body, so that none is taken for one that came before. */
const MARK = 'req-0000000000';

/**
 * More than the server has room for. Throws unless something was refused, every refusal says when to come back, and what was
 * acknowledged is stored, once.
 */
export async function runOverloadBench(options: OverloadOptions): Promise<OverloadResult> {
  const { seconds = 10, connections = 192, countStored } = options;
  const sender = createSender(options, connections);
  const template = ndjsonBatch(0, LARGE_BATCH, Date.now() - 60_000)
    .toString()
    .replace('req-0', MARK);
  // Made beforehand, one for each sender: writing JSON here would be in every figure.
  const bodies = Array.from({ length: connections }, () => Buffer.from(template));
  const markAt = Buffer.from(template).indexOf(MARK) + 'req-'.length;
  const before = await countStored();
  const first: number[] = [];
  const refused: number[] = [];
  let accepted = 0;
  let undecided = 0;
  let batches = 0;
  const started = performance.now();
  const drive = async (body: Buffer) => {
    const next = () => body.write(String(batches++).padStart(MARK.length - 'req-'.length, '0'), markAt);
    next();
    let isUndecided = false;
    while (performance.now() - started < seconds * 1000) {
      const { status, answer, ms, retryAfter } = await sender.send(body);
      if (status === 202) {
        accepted += answer.accepted;
        isUndecided = false;
        next();
      } else if ((status === 429 || status === 503) && Number(retryAfter) > 0) {
        (performance.now() - ms - started < FIRST_MS ? first : refused).push(ms);
        // The stores took too long to be waited for; what was taken goes on, and only a repetition would be told.
        isUndecided ||= 'code' in answer && answer.code === 'STORE_UNAVAILABLE';
        await wait(Number(retryAfter) * 1000);
      } else throw new Error(`A batch was answered with ${status}: ${JSON.stringify(answer)}`);
    }
    if (isUndecided) undecided += LARGE_BATCH;
  };
  await Promise.all(bodies.map(drive));
  const took = (performance.now() - started) / 1000;
  sender.close();
  const stored = (await countStored()) - before;
  if (stored < accepted || stored > accepted + undecided) {
    throw new Error(`${accepted} events were acknowledged, ${undecided} are undecided, and ${stored} are stored.`);
  }
  if (refused.length === 0) throw new Error('Nothing was refused: this was no overload.');
  return {
    overload_accepted_per_s: Math.round(accepted / took),
    overload_refused: first.length + refused.length,
    overload_first_p99_ms: percentile(first, 0.99),
    overload_refused_p50_ms: percentile(refused, 0.5),
    overload_refused_p99_ms: percentile(refused, 0.99),
  };
}
