// `npm run supply`, before a release: what is in the lockfile against the table of known weaknesses, the age of that table, and
// what the registry knows today. With `--offline` the last is left out, and said to be.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  advisoryProblems,
  daysSinceLooked,
  LOOK_AGAIN_AFTER_DAYS,
  lockedVersions,
  readAdvisories,
} from './advisories.ts';

const unknown = process.argv.slice(2).filter((argument) => argument !== '--offline');
if (unknown.length > 0) {
  console.error(`Unknown argument "${unknown.join(' ')}"; there is --offline`);
  process.exit(2);
}

const root = new URL('../', import.meta.url);
const advisories = readAdvisories(readFileSync(new URL('security/advisories.csv', root), 'utf8'));
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
  packages: Parameters<typeof lockedVersions>[0];
};
const locked = lockedVersions(packages);
const problems = advisories.flatMap((row) => advisoryProblems(row, locked));

const age = daysSinceLooked(advisories, new Date());
if (age > LOOK_AGAIN_AFTER_DAYS) {
  problems.push(`security/advisories.csv was looked at ${age} days ago; ${LOOK_AGAIN_AFTER_DAYS} are the most`);
}
console.log(
  `${advisories.length} known weaknesses of ${new Set(advisories.map(({ name }) => name)).size} packages compared`,
);

if (process.argv.includes('--offline')) {
  console.log('the registry was not asked');
} else {
  const audit = spawnSync('npm', ['audit', '--package-lock-only', '--json'], { cwd: root, encoding: 'utf8' });
  problems.push(...auditProblems(audit.stdout));
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** An answer that is none is a problem: silence would read as "nothing known". */
function auditProblems(answer: string): string[] {
  const report = readReport(answer);
  if (report?.vulnerabilities === undefined) return ['the registry did not answer npm audit'];
  return Object.entries(report.vulnerabilities).map(
    ([name, { severity, range }]) => `${name} ${range}: ${severity}, says npm audit`,
  );
}

type Report = { readonly vulnerabilities?: Readonly<Record<string, { severity: string; range: string }>> };

function readReport(answer: string): Report | undefined {
  try {
    return JSON.parse(answer) as Report;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
