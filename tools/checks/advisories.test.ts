import { describe, expect, it } from 'vitest';
import {
  ADVISORY_HEAD,
  advisoryProblems,
  daysSinceLooked,
  isWithin,
  LOOK_AGAIN_AFTER_DAYS,
  lockedVersions,
  readAdvisories,
} from '../advisories.ts';
import { listFiles, readJson } from './source-files.ts';

const [file] = listFiles(/^security\/advisories\.csv$/);
const [document] = listFiles(/^docs\/security\.md$/);
const advisories = readAdvisories(file?.text ?? '');
const locked = lockedVersions(
  (readJson('package-lock.json') as { packages: Parameters<typeof lockedVersions>[0] }).packages,
);

describe('known weaknesses', () => {
  it('are a table of packages, ranges and advisories, each once', () => {
    expect(file?.text.split('\n')[0]).toBe(ADVISORY_HEAD);
    expect(advisories.length).toBeGreaterThan(50);
    const odd = advisories.filter(
      ({ advisory, lookedAt }) =>
        !/^(?:GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}|CVE-\d{4}-\d{4,7})$/.test(advisory) ||
        !/^\d{4}-\d\d-\d\d$/.test(lookedAt),
    );
    expect(odd).toEqual([]);
    const keys = advisories.map(({ name, advisory }) => `${name} ${advisory}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are none of the versions in the lockfile, and the table knows which these are', () => {
    expect(advisories.flatMap((row) => advisoryProblems(row, locked))).toEqual([]);
  });

  it('are looked for again as often as the document says (only told here: `npm run supply` refuses a release)', () => {
    expect(document?.text).toContain(`${LOOK_AGAIN_AFTER_DAYS} days`);
    const age = daysSinceLooked(advisories, new Date());
    if (age > LOOK_AGAIN_AFTER_DAYS) console.warn(`security/advisories.csv was looked at ${age} days ago`);
  });
});

describe('the comparison', () => {
  const row = {
    name: 'a',
    affected: '<1.2.3',
    advisory: 'CVE-2026-0001',
    ours: ['1.2.3'],
    verdict: 'outside',
    lookedAt: '2026-11-01',
  };
  const lockedAt = (...versions: string[]) =>
    lockedVersions(
      Object.fromEntries(versions.map((version, at) => [`${'x/'.repeat(at)}node_modules/a`, { version }])),
    );

  it.each([
    ['1.2.2', '<1.2.3', true],
    ['1.2.3', '<1.2.3', false],
    ['1.2.3', '<=1.2.3', true],
    ['1.10.0', '<1.9.9', false],
    ['3.1.2', '<3.1.3 || >=4.0.0 <4.0.1', true],
    ['4.0.0', '<3.1.3 || >=4.0.0 <4.0.1', true],
    ['4.0.1', '<3.1.3 || >=4.0.0 <4.0.1', false],
    ['3.1.3', '<3.1.3 || >=4.0.0 <4.0.1', false],
    ['2.0.0-beta.1', '>=2.0.0 <2.0.1', true],
  ])('%s in %s: %s', (version, range, expected) => {
    expect(isWithin(version, range)).toBe(expected);
  });

  it('refuses what it cannot read instead of finding nothing', () => {
    expect(() => isWithin('1.0.0', '^1.0.0')).toThrow('no bound');
    expect(() => isWithin('1.0.0', '')).toThrow('no bound');
  });

  it('tells a version that is affected, wherever in the tree it is', () => {
    expect(advisoryProblems(row, lockedAt('1.2.3'))).toEqual([]);
    expect(advisoryProblems(row, lockedAt('1.2.3', '1.0.0'))).toEqual([
      'a@1.0.0 is affected by CVE-2026-0001 (<1.2.3)',
    ]);
  });

  it('tells a row that is out of date', () => {
    expect(advisoryProblems(row, lockedAt('1.3.0'))).toEqual([expect.stringContaining('look it up again')]);
    expect(advisoryProblems(row, lockedAt())).toEqual([expect.stringContaining('not in the lockfile')]);
    expect(daysSinceLooked([row], new Date('2026-12-02T12:00:00Z'))).toBe(31);
  });
});
