import { setTimeout as wait } from 'node:timers/promises';
import { createSender, type IngestTarget, ndjsonBatch } from './bench-load.ts';

export type SendersOptions = {
  target: IngestTarget;
  connections: number;
  seconds: number;
  /** Batches are numbered from here on, ten digits at most, so that none is taken for one that came before. */
  firstNumber: number;
  /** Between a refusal and the next try, in ms; undefined: what `Retry-After` says. */
  pauseMs?: number;
};

export type SendersResult = {
  /** Events that were acknowledged. */
  accepted: number;
  /** Events the server may have kept without saying so. */
  undecided: number;
  /** Of each refusal: when it was asked for, in ms after the start, and how long it took. */
  refusals: { at: number; ms: number }[];
};

const LARGE_BATCH = 1_000;
const MARK = 'req-0000000000';

/** Senders of large batches that repeat what was refused. Throws at any answer that is neither 202 nor a refusal that says when to come back. */
export async function sendUntilOver(options: SendersOptions): Promise<SendersResult> {
  const { target, connections, seconds, firstNumber, pauseMs } = options;
  const sender = createSender(target, connections);
  const template = ndjsonBatch(0, LARGE_BATCH, Date.now() - 60_000)
    .toString()
    .replace('req-0', MARK);
  // Made beforehand, one for each sender: writing JSON here would be in every figure.
  const bodies = Array.from({ length: connections }, () => Buffer.from(template));
  const markAt = Buffer.from(template).indexOf(MARK) + 'req-'.length;
  const result: SendersResult = { accepted: 0, undecided: 0, refusals: [] };
  let number = firstNumber;
  const started = performance.now();
  const drive = async (body: Buffer) => {
    const next = () => body.write(String(number++).padStart(MARK.length - 'req-'.length, '0'), markAt);
    next();
    let isUndecided = false;
    while (performance.now() - started < seconds * 1000) {
      const { status, answer, ms, retryAfter } = await sender.send(body);
      if (status === 202) {
        result.accepted += answer.accepted;
        isUndecided = false;
        next();
      } else if ((status === 429 || status === 503) && Number(retryAfter) > 0) {
        result.refusals.push({ at: performance.now() - ms - started, ms });
        // The stores took too long to be waited for; what was taken goes on, and only a repetition would be told.
        isUndecided ||= 'code' in answer && answer.code === 'STORE_UNAVAILABLE';
        await wait(pauseMs ?? Number(retryAfter) * 1000);
      } else throw new Error(`A batch was answered with ${status}: ${JSON.stringify(answer)}`);
    }
    if (isUndecided) result.undecided += LARGE_BATCH;
  };
  await Promise.all(bodies.map(drive));
  sender.close();
  return result;
}
