type TestReport = {
  testResults: { name?: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
};

export function countTests(
  report: TestReport,
  code: number,
): { passed: number; failed: number; skipped: number; notes: string[]; failures: string[] };

/** The files of a stage that took longest, as lines of its report. Times in ms since 1970. */
export function slowestFiles(report: { testResults: { name: string; startTime: number; endTime: number }[] }): string[];
