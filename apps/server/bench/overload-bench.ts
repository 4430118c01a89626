import { type IngestTarget, percentile } from './bench-load.ts';
import { type SendersResult, sendUntilOver } from './overload-senders.ts';
import { inOwnProcess } from './own-process.ts';

export type OverloadOptions = IngestTarget & {
  /** Asked of the event store by query, not of a counter: how many events of the source a search would find. */
  countStored: () => Promise<number>;
  /** Default 10. */
  seconds?: number;
  /** Senders that repeat what was refused when they are told to. Default 192. */
  connections?: number;
};

export type OverloadResult = {
  overload_accepted_per_s: number;
  overload_refused: number;
  /** As senders of their own see it, which are not held up by the load: of all refusals after the first second. */
  overload_probe_p50_ms: number;
  overload_probe_p99_ms: number;
  /** How many these are. */
  overload_probed: number;
  /** As the load itself sees it, its own waiting for its other senders included. */
  overload_refused_p50_ms: number;
  overload_refused_p99_ms: number;
  /** The same of the first second, in which all of them connect at once. */
  overload_first_p99_ms: number;
};

const FIRST_MS = 900;
/** They try again five times a second, whatever they are told. */
const PROBE = { connections: 8, firstNumber: 5_000_000_000, pauseMs: 200 };

/**
 * More than the server has room for. Throws unless something was refused, every refusal says when to come back, and what was
 * acknowledged is stored, once.
 */
export async function runOverloadBench(options: OverloadOptions): Promise<OverloadResult> {
  const { seconds = 10, connections = 192, countStored, ...target } = options;
  const before = await countStored();
  const started = performance.now();
  const [load, probed] = await Promise.all([
    sendUntilOver({ target, connections, seconds, firstNumber: 0 }),
    inOwnProcess<SendersResult>(new URL('overload-probe.ts', import.meta.url), { target, seconds, ...PROBE }),
  ]);
  const took = (performance.now() - started) / 1000;
  const stored = (await countStored()) - before;
  const accepted = load.accepted + probed.accepted;
  const undecided = load.undecided + probed.undecided;
  if (stored < accepted || stored > accepted + undecided) {
    throw new Error(`${accepted} events were acknowledged, ${undecided} are undecided, and ${stored} are stored.`);
  }
  const [first, later] = [times(load, 0, FIRST_MS), times(load, FIRST_MS)];
  const alone = times(probed, FIRST_MS);
  if (later.length === 0 || alone.length === 0) throw new Error('Nothing was refused: this was no overload.');
  return {
    overload_accepted_per_s: Math.round(accepted / took),
    overload_refused: load.refusals.length + probed.refusals.length,
    overload_probe_p50_ms: percentile(alone, 0.5),
    overload_probe_p99_ms: percentile(alone, 0.99),
    overload_probed: alone.length,
    overload_refused_p50_ms: percentile(later, 0.5),
    overload_refused_p99_ms: percentile(later, 0.99),
    overload_first_p99_ms: percentile(first, 0.99),
  };
}

function times({ refusals }: SendersResult, fromMs: number, toMs = Number.POSITIVE_INFINITY): number[] {
  return refusals.filter(({ at }) => at >= fromMs && at < toMs).map(({ ms }) => ms);
}
