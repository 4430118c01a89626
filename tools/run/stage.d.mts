type TestReport = {
  testResults: { name?: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
};

export function countTests(
  report: TestReport,
  code: number,
): { passed: number; failed: number; skipped: number; notes: string[]; failures: string[] };
