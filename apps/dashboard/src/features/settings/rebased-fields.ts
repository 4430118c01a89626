/** What was typed over the fields as they were `before`, put over the fields as they are by now. */
export function rebasedFields<T extends object>(before: T, typed: T, now: T): T {
  const changed = (Object.keys(typed) as (keyof T)[]).filter(
    (name) => JSON.stringify(typed[name]) !== JSON.stringify(before[name]),
  );
  return { ...now, ...Object.fromEntries(changed.map((name) => [name, typed[name]])) };
}
