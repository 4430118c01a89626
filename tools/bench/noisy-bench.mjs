import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const kinds = ['others_list', 'others_search', 'others_start'];
const units = {
  ...Object.fromEntries(
    kinds.flatMap((kind) => [
      ...['alone_p50', 'alone_p99', 'beside_p50', 'beside_p99'].map((figure) => [`${kind}_${figure}_ms`, 'ms']),
      [`${kind}_ratio`, 'x'],
    ]),
  ),
  run_p99_ms: 'ms',
  noisy_asked_per_s: 'calls/s',
  noisy_answered_per_s: 'calls/s',
};

/** Ten tenants and a noisy one, with 5,000 cases and 45,000 events each. */
export async function runNoisy({ full }) {
  const { runNoisyBench } = await importSource('apps/server/bench/noisy-bench.ts');
  return await withStand('apps/server/bench/noisy-stand.ts', ['11'], async (stand) => {
    const { together, rounds } = await runNoisyBench({ ...stand, rounds: full ? 10 : 5, secondsEach: 30 });
    const spreads = figuresOf(rounds, units);
    // Judged by all calls together; how far the rounds lie apart says what that is worth.
    return Object.fromEntries(
      Object.entries(figuresOf([together], units)).map(([name, figure]) => [
        name,
        { ...figure, spread: spreads[name].spread },
      ]),
    );
  });
}
