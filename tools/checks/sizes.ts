import type { SourceFile } from './source-files.ts';
import { isTestCode } from './test-code.ts';

export type SizeRow = {
  group: string;
  files: number;
  median: number;
  p90: number;
  largest: { path: string; lines: number }[];
};

/** Lines of product code per workspace, so that drift is seen before it hurts. */
export function sizeReport(files: readonly SourceFile[]): SizeRow[] {
  const groups = new Map<string, { path: string; lines: number }[]>();
  for (const { path, text } of files) {
    if (isTestCode(path) || path.includes('.gen.')) continue;
    const group = path
      .split('/')
      .slice(0, path.startsWith('e2e') || path.startsWith('tools') ? 1 : 2)
      .join('/');
    groups.set(group, [...(groups.get(group) ?? []), { path, lines: text.split('\n').length }]);
  }
  return [...groups].map(([group, sizes]) => {
    const sorted = sizes.sort((a, b) => b.lines - a.lines);
    const at = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * (1 - share)))]?.lines ?? 0;
    return { group, files: sorted.length, median: at(0.5), p90: at(0.9), largest: sorted.slice(0, 10) };
  });
}

export function printedReport(rows: readonly SizeRow[]): string {
  const line = (cells: (string | number)[]) => cells.map((cell, at) => String(cell).padEnd(at === 0 ? 26 : 8)).join('');
  const table = rows.map((row) => line([row.group, row.files, row.median, row.p90, row.largest[0]?.lines ?? 0]));
  const largest = rows
    .flatMap((row) => row.largest)
    .sort((a, b) => b.lines - a.lines)
    .slice(0, 10)
    .map(({ path, lines }) => `  ${lines}  ${path}`);
  return [line(['workspace', 'files', 'median', 'p90', 'max']), ...table, 'largest:', ...largest].join('\n');
}
