/**
 * Takes each guard of `guards/guards.ts` away in turn and runs its tests: at least one of them must fail. Ends with 1 when
 * all pass without some guard. Words in the arguments choose guards by name.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guards } from './guards/guards.ts';
import { inRoot, root } from './run/root.mjs';

const words = process.argv.slice(2);
const chosen = guards.filter(({ name }) => words.every((word) => name.includes(word)));
if (chosen.length === 0) throw new Error(`No guard is named ${words.join(' ')}.`);

const folder = mkdtempSync(join(tmpdir(), 'airdeck-guards-'));
let unnoticed = 0;
try {
  for (const { name } of chosen) {
    const failed = failedWithout(name);
    if (failed === undefined) unnoticed++;
    console.log(failed === undefined ? `UNNOTICED  ${name}` : `noticed    ${name}: ${failed}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`Of ${chosen.length} guards, ${chosen.length - unnoticed} cannot go without a test that fails.`);
process.exitCode = unnoticed === 0 ? 0 : 1;

/** The name of the test that failed; undefined when all passed. Throws when they could not be run. */
function failedWithout(name: string): string | undefined {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const vitest = inRoot('node_modules/vitest/vitest.mjs');
  const options = [
    'run',
    '--config',
    inRoot('tools/guards/vitest.config.ts'),
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const { status, stderr } = spawnSync(process.execPath, [vitest, ...options], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, AIRDECK_WITHOUT_GUARD: name },
  });
  const { numTotalTests, testResults } = readReport(report, stderr);
  if (numTotalTests === 0) throw new Error(`No test ran without "${name}":\n${stderr}`);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.find((test) => test.status === 'failed')?.fullName;
  return failed ?? (status === 0 ? undefined : 'the tests broke off');
}

type Report = {
  numTotalTests: number;
  testResults: readonly { assertionResults: readonly { status: string; fullName: string }[] }[];
};

function readReport(path: string, stderr: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    throw new Error(`The tests could not be run:\n${stderr}`);
  }
}
