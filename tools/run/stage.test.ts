import { describe, expect, it } from 'vitest';
import { inRoot } from './root.mjs';
import { countTests, slowestFiles } from './stage.mjs';

const file = (status: string, ...tests: string[]) => ({
  name: '/a/file.test.ts',
  status,
  assertionResults: tests.map((test, at) => ({ status: test, fullName: `test ${at}` })),
});

describe('counting tests', () => {
  it('adds up what passed, failed and was skipped, and names the skipped and the failed', () => {
    const report = { testResults: [file('failed', 'passed', 'failed'), file('passed', 'passed', 'pending', 'todo')] };
    expect(countTests(report, 1)).toEqual({
      passed: 2,
      failed: 1,
      skipped: 2,
      notes: ['skipped: test 1', 'skipped: test 2'],
      failures: ['/a/file.test.ts > test 1'],
    });
  });

  it('counts a file that could not be loaded as one failure', () => {
    expect(countTests({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toMatchObject({
      failed: 1,
      failures: ['/a/file.test.ts could not be loaded'],
    });
  });

  it('never reads a red run as green, whatever the report says', () => {
    expect(countTests({ testResults: [file('passed', 'passed')] }, 1)).toMatchObject({ passed: 1, failed: 1 });
    expect(countTests({ testResults: [] }, 1)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('the slowest files', () => {
  it('are those that took long, slowest first, and few of them', () => {
    const took = (name: string, seconds: number) => ({
      name: inRoot(name),
      startTime: 1_000,
      endTime: 1_000 + seconds * 1_000,
    });
    const many = Array.from({ length: 20 }, (_, at) => took(`many-${at}.test.ts`, 30 + at));
    expect(slowestFiles({ testResults: [took('a.test.ts', 1), took('b.test.ts', 25), took('c.test.ts', 90)] })).toEqual(
      ['slow: 90 s c.test.ts', 'slow: 25 s b.test.ts'],
    );
    expect(slowestFiles({ testResults: many })).toHaveLength(12);
  });
});
