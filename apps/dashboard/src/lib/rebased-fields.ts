/**
 * What was typed over the fields as they were `before`, put over the fields as they are by now. Of lists only what was added and
 * taken away: somebody else's part of the same list stays as they left it.
 */
export function rebasedFields<T extends object>(before: T, typed: T, now: T): T {
  const changed = (Object.keys(typed) as (keyof T)[]).filter((name) => !isSame(typed[name], before[name]));
  return {
    ...now,
    ...Object.fromEntries(changed.map((name) => [name, rebased(before[name], typed[name], now[name])])),
  };
}

/** Fields as people read them: what stands in each, by its label. */
export type FieldWords = Readonly<Record<string, string>>;

/** What somebody else saved since `before` and `kept` would replace. */
export function overwritten(before: FieldWords, kept: FieldWords, now: FieldWords): FieldWords {
  return Object.fromEntries(
    Object.entries(now).filter(([label, words]) => (before[label] ?? '') !== words && (kept[label] ?? '') !== words),
  );
}

function rebased(before: unknown, typed: unknown, now: unknown): unknown {
  if (!Array.isArray(before) || !Array.isArray(typed) || !Array.isArray(now)) return typed;
  const isIn = (list: readonly unknown[], one: unknown) => list.some((other) => isSame(one, other));
  const kept = now.filter((one) => isIn(typed, one) || !isIn(before, one));
  return [...kept, ...typed.filter((one) => !isIn(before, one) && !isIn(kept, one))];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
