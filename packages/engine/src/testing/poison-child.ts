/** A worker process whose steps do what their input says: work, or what no step should do to its worker. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestDatabase } from './test-database.ts';
import { createTestEngine, shortLease } from './test-engine.ts';

const HUGE = 8_000_000;
/** A call somewhere takes this long; what it costs this machine is the engine's work around it. */
const CALL_MS = 20;

const circular: { self?: unknown } = {};
circular.self = circular;

const doings: Readonly<Record<string, () => unknown>> = {
  work: () => sleep(CALL_MS, { done: true }),
  throw: () => {
    throw new Error('As always.');
  },
  hang: () => new Promise(() => undefined),
  huge: () => 'x'.repeat(HUGE),
  circular: () => circular,
  exit: () => process.exit(7),
};

const { engine } = createTestEngine(openTestDatabase(process.env.CRASH_DATABASE_URL ?? ''), {
  async executeStep({ input, markCallStarted }) {
    await markCallStarted();
    return doings[String(input)]?.();
  },
  options: { ...shortLease, concurrency: 32, maxLeaseLosses: 4 },
});
await engine.start();
process.stdout.write('working\n');
