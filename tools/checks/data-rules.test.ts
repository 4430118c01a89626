import { limits as sharedLimits } from '@airdeck/contracts/limits';
import { reportLimits } from '@airdeck/contracts/reports/report-limits';
import { searchLimits } from '@airdeck/contracts/search/schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { describe, expect, it } from 'vitest';
import { listFiles } from './source-files.ts';
import { isTestCode } from './test-code.ts';

const limits = {
  ...sharedLimits,
  ...serverLimits,
  savedPerPersonMax: searchLimits.savedPerPersonMax,
  schedulesMax: reportLimits.schedulesMax,
};
const DOCUMENT = 'docs/data-rules.md';
const [document] = listFiles(/^docs\/data-rules\.md$/);
const rows = new Set((document?.text ?? '').split('\n').filter((line) => line.startsWith('| ')));

/** Read by the server at its start, from the environment. */
const notSaid = new Set(['packages/contracts/src/marketplace/schema.ts']);

/** What a contract says about values that do not fit each other. */
function sayingsOf(text: string): (string | undefined)[] {
  return text
    .split('.refine(')
    .slice(1)
    .map((rule) => /'([A-Z][^'\n]*\.)'/.exec(rule)?.[1]);
}

describe('rules for data', () => {
  it('are found in the text of a contract', () => {
    const text = "z.object({}).refine((a) => a.b < a.c, { path: ['b'], message: 'Too late.' }).refine(isOk)";
    expect(sayingsOf(text)).toEqual(['Too late.', undefined]);
  });

  it.each(
    listFiles(/^packages\/contracts\/src\/.*\.ts$/)
      .filter(({ path, text }) => !isTestCode(path) && !notSaid.has(path) && text.includes('.refine('))
      .map(({ path, text }) => ({ path, sayings: sayingsOf(text) })),
  )(`of $path stand in ${DOCUMENT}, with what is said`, ({ sayings }) => {
    expect(sayings).not.toContain(undefined);
    const missing = sayings.filter((saying) => ![...rows].some((row) => row.endsWith(` | ${saying} |`)));
    expect(missing).toEqual([]);
  });

  it(`and all limits stand in ${DOCUMENT} with their values`, () => {
    const wanted = Object.entries(limits).map(([name, value]) => `| \`${name}\` | ${value.toLocaleString('en-US')} |`);
    expect(wanted.filter((start) => ![...rows].some((row) => row.startsWith(start)))).toEqual([]);
    const named = [...rows].flatMap((row) => /^\| `(\w+)` \| [\d,]+ \|/.exec(row)?.[1] ?? []);
    expect(named.filter((name) => !(name in limits))).toEqual([]);
  });
});
