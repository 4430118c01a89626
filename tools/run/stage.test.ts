import { describe, expect, it } from 'vitest';
import { countTests } from './stage.mjs';

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
