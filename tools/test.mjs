// `npm test`, and with `--no-browser` `npm run check`: every check there is, in order, each with one line. `--full` takes the
// long form of those that have one: more kills, longer outages, more random searches, every screen in every look, and each security
// guard taken away in turn.
import { requireNode } from './run/node-version.mjs';

requireNode();
const { installIfNeeded } = await import('./run/install.mjs');
await installIfNeeded();
const [{ runStage }, { requireTestChromium }, { installRsyslog }, { staleTargets }] = await Promise.all([
  import('./run/stage.mjs'),
  import('./run/chromium.mjs'),
  import('./run/rsyslog.mjs'),
  import('./run/build-stamp.mjs'),
]);

const options = ['--no-browser', '--full'];
const unknown = process.argv.slice(2).filter((argument) => !options.includes(argument));
if (unknown.length > 0) {
  console.error(
    `Unknown argument "${unknown.join(' ')}"; there are ${options.join(' and ')}. For one file: npx vitest run <file>`,
  );
  process.exit(2);
}
const browser = !process.argv.includes('--no-browser');
const full = process.argv.includes('--full');
if (full) {
  process.env.AIRDECK_FULL ??= '1';
  process.env.ENGINE_CHAOS_KILLS ??= '1000';
}

/** Quick and single-threaded, so two run at a time. */
const staticStages = [
  { title: 'format and lint', run: [['biome', 'ci', '--colors=off', '.']] },
  { title: 'route index', run: [['tsx', 'tools/generate-route-index.ts', '--check']] },
  { title: 'integration pages', run: [['tsx', 'tools/generate-integration-pages.ts', '--check']] },
  { title: 'types', run: [['tsc', '-p', 'tsconfig.json']] },
  { title: 'types of the dashboard', run: [['tsc', '-p', 'apps/dashboard/tsconfig.json']] },
  { title: 'types of both sides', run: [['tsc', '-p', 'tools/joints']] },
  { title: 'dead code', run: [['knip', '--no-progress']] },
];

/** Vitest spreads each of these over the cores itself. */
const testStages = [
  { title: 'repository checks', run: [['vitest', '--project', 'unit', 'tools/']] },
  { title: 'unit', run: [['vitest', '--project', 'unit', 'packages/', 'apps/cli/']] },
  { title: 'dashboard', run: [['vitest', '--project', 'dashboard*']] },
  { title: 'server', run: [['vitest', '--project', 'server']], ...(browser ? { prepare: installRsyslog } : {}) },
];

/** In a real browser, against the built product. */
const browserStages = [
  { title: 'build', run: staleTargets().map((target) => ['build', target]) },
  { title: 'browser journeys', run: [['vitest', '--project', 'e2e']], prepare: prepareBrowser, needsPrevious: true },
  // Sizes, not times: the same on every machine.
  { title: 'bundle limits', run: [['bench', 'bundle']] },
];

/** Each guard taken away, with the tests that must notice: the long form only, because they are run once a guard. */
const guardStages = [{ title: 'security guards', run: [['tsx', 'tools/guards.ts']] }];

const started = performance.now();
const results = [...(await runInPairs(staticStages)), ...(await runInTurn(testStages))];
if (full) results.push(...(await runInTurn(guardStages)));
if (browser) results.push(...(await runInTurn(browserStages)));

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(sum);
console.log(`\n${results.length} stages in ${((performance.now() - started) / 1000).toFixed(0)} s`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
// Once more at the end: what a stage printed of a failure may be thousands of lines above.
for (const { failures } of results) for (const failure of failures) console.log(`failed: ${failure}`);
process.exitCode = failed > 0 ? 1 : 0;

async function runInTurn(stages) {
  const done = [];
  for (const stage of stages) {
    if (stage.needsPrevious && done.at(-1)?.failed > 0) {
      console.log(`${stage.title.padEnd(24)} not run: the stage before it failed`);
      break;
    }
    done.push(await runStage(stage));
  }
  return done;
}

async function prepareBrowser(env) {
  env.CHROME_PATH = await requireTestChromium();
}

async function runInPairs(stages) {
  const waiting = [...stages];
  const done = [];
  const worker = async () => {
    for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) done.push(await runStage(stage));
  };
  await Promise.all([worker(), worker()]);
  return done;
}
