import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { inRoot, root } from './root.mjs';

const programs = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  tsc: 'node_modules/typescript/bin/tsc',
  tsx: 'node_modules/tsx/dist/cli.mjs',
  vitest: 'node_modules/vitest/vitest.mjs',
  build: 'tools/build.mjs',
  bench: 'tools/bench.mjs',
};

const SLOW_FROM_S = 20;
const SLOWEST_MAX = 12;

/**
 * Runs one stage and prints its line. Stages of vitest count their tests; any other stage counts as one.
 * A stage is `{ title, run: [program, ...arguments][], prepare? }`; `prepare(env)` sets variables or refuses by throwing.
 */
export async function runStage(stage) {
  const started = performance.now();
  const result = await attempt(stage);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : '';
  const tests = result.counted ? ` (${result.passed} passed${skipped})` : '';
  const verdict = result.failed > 0 ? `FAILED (${result.failed} of ${result.passed + result.failed})` : `ok${tests}`;
  console.log(`${stage.title.padEnd(24)} ${`${seconds} s`.padStart(8)}  ${verdict}`);
  for (const line of result.notes) console.log(`  ${line}`);
  if (result.failed > 0) console.log(`${result.output.trim()}\n`);
  return result;
}

async function attempt({ run, prepare }) {
  const env = {};
  const total = { passed: 0, failed: 0, skipped: 0, counted: false, output: '', notes: [], failures: [] };
  try {
    await prepare?.(env);
  } catch (error) {
    return { ...total, failed: 1, output: error.message };
  }
  for (const [program, ...args] of run) {
    const one = program === 'vitest' ? await runVitest(args, env) : await runChecker(program, args, env);
    for (const key of ['passed', 'failed', 'skipped']) total[key] += one[key];
    total.counted ||= program === 'vitest';
    total.output += one.failed > 0 ? one.output : '';
    total.notes.push(...(one.notes ?? []));
    total.failures.push(...(one.failures ?? []));
  }
  return total;
}

async function runChecker(program, args, env) {
  const { code, output } = await runProgram(program, args, env);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output };
}

async function runVitest(args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'airdeck-tests-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { code, output } = await runProgram('vitest', ['run', ...reporters, ...args], env);
    const read = readReport(report);
    const counted = countTests(read, code);
    return { ...counted, notes: [...counted.notes, ...slowestFiles(read)], output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Sums vitest's JSON report. A file that could not be loaded has no tests in it and counts as one failure, and so does
 * an exit code without a failed test (an unhandled error, no report at all): a red run must never read as green.
 */
export function countTests(report, code) {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter((test) => test.status === 'passed').length;
  const skipped = tests.filter((test) => ['pending', 'skipped', 'todo'].includes(test.status)).length;
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = tests.length - passed - skipped + broken.length;
  const notes = tests
    .filter((test) => ['pending', 'skipped', 'todo'].includes(test.status))
    .map((test) => `skipped: ${test.fullName}`);
  const failures = report.testResults.flatMap(({ name, assertionResults, status }) =>
    status === 'failed' && assertionResults.length === 0
      ? [`${name} could not be loaded`]
      : assertionResults.filter((test) => test.status === 'failed').map((test) => `${name} > ${test.fullName}`),
  );
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped, notes, failures };
}

/** Where a stage's time went: whoever wants a faster one looks there first. */
export function slowestFiles({ testResults }) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000;
  return testResults
    .filter((file) => seconds(file) >= SLOW_FROM_S)
    .sort((a, b) => seconds(b) - seconds(a))
    .slice(0, SLOWEST_MAX)
    .map((file) => `slow: ${seconds(file).toFixed(0)} s ${relative(root, file.name)}`);
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { testResults: [] };
  }
}

function runProgram(program, args, env) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, [inRoot(programs[program]), ...args], {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}` : output }),
    );
  });
}
