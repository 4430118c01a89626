import { diffLines } from 'diff';

/** Lines that were added, removed or stayed; `folded` counts those far from any change. */
export type DiffPart =
  | { readonly kind: 'added' | 'removed' | 'same'; readonly lines: readonly string[] }
  | { readonly kind: 'folded'; readonly lines: number };

/** Lines around a change that show where it is. */
const CONTEXT = 3;

/** What leads from one text to the other, line by line; what stayed is folded but for the lines around changes. */
export function diffParts(before: string, after: string): DiffPart[] {
  const changes = diffLines(before, after);
  return changes.flatMap(({ added, removed, value }, index): DiffPart[] => {
    const lines = value.replace(/\n$/, '').split('\n');
    if (added || removed) return [{ kind: added ? 'added' : 'removed', lines }];
    return folded(lines, { isFirst: index === 0, isLast: index === changes.length - 1 });
  });
}

function folded(lines: readonly string[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): DiffPart[] {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const hidden = lines.length - head - tail;
  // To fold a single line would save nothing.
  if (hidden < 2) return [{ kind: 'same', lines }];
  return [
    ...(head === 0 ? [] : [{ kind: 'same' as const, lines: lines.slice(0, head) }]),
    { kind: 'folded', lines: hidden },
    ...(tail === 0 ? [] : [{ kind: 'same' as const, lines: lines.slice(-tail) }]),
  ];
}
