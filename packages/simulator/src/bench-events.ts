import type { Random } from './random.ts';
import { createRandom } from './random.ts';

/** Bytes of one line of the ingest bench, without its line end. */
export const BENCH_EVENT_BYTES = 450;

/**
 * NDJSON lines of exactly 450 bytes each, for benches: every line different, fields as a web server or application would
 * write them. `startAt` in milliseconds; lines are a millisecond apart.
 */
export function benchLines(options: { seed: string; startAt: number; count: number }): string[] {
  const random = createRandom(options.seed).fork('bench');
  return Array.from({ length: options.count }, (_, index) => benchLine(random, index, options.startAt + index));
}

function benchLine(random: Random, index: number, time: number): string {
  const event = {
    time: new Date(time).toISOString(),
    integration: 'bench',
    event_type: 'request',
    severity: 'info',
    host: `app-${String(random.int(1, 40)).padStart(2, '0')}`,
    user: `user${random.int(1, 500)}`,
    src_ip: `198.51.100.${random.int(1, 254)}`,
    dst_ip: `192.0.2.${random.int(1, 254)}`,
    action: 'request',
    outcome: random.chance(0.95) ? 'success' : 'failure',
    status: random.pick([200, 200, 200, 204, 304, 404, 500]),
    duration_ms: random.int(1, 900),
    path: `/api/items/${random.int(1, 99_999)}`,
    request_id: random.uuid(),
    sequence: index,
    message: '',
  };
  const missing = BENCH_EVENT_BYTES - JSON.stringify(event).length;
  return JSON.stringify({ ...event, message: 'request handled by the application '.repeat(20).slice(0, missing) });
}
