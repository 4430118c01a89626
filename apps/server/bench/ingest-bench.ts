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
