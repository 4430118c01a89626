import { diffLines } from 'diff';

/** Lines of a comparison; `left_out` counts those far from any change. */
type DiffRow =
  | { readonly kind: 'added' | 'removed' | 'same'; readonly text: string }
  | { readonly kind: 'left_out'; readonly count: number };

/** Lines that show around a change where it is. */
const AROUND = 3;

/** What leads from one text to another, with what stayed left out but for the lines around changes. */
export function diffRows(before: string, after: string): DiffRow[] {
  const rows = diffLines(`${before}\n`, `${after}\n`).flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): Extract<DiffRow, { text: string }> => ({ kind, text }));
  });
  const near = new Set<number>();
  rows.forEach(({ kind }, index) => {
    if (kind === 'same') return;
    for (let each = index - AROUND; each <= index + AROUND; each += 1) near.add(each);
  });
  const shown: DiffRow[] = [];
  rows.forEach((row, index) => {
    const last = shown.at(-1);
    if (near.has(index)) shown.push(row);
    else if (last?.kind === 'left_out') shown[shown.length - 1] = { kind: 'left_out', count: last.count + 1 };
    else shown.push({ kind: 'left_out', count: 1 });
  });
  return shown;
}
