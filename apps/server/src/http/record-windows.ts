/**
 * Records anybody can cause, limited in number: one for each kind, subject and minute, and a count of what came after it.
 *
 * A window begins with the first of its kind. What is taken in it later is counted, and `drain` hands the count over once
 * the window has ended. A subject with very many kinds has the rest of them counted as one; when there are too many
 * subjects, what is beyond has no record and is only counted. In memory: a crash loses the counts of the last minute,
 * never a record. Every process counts by itself.
 */
const WINDOW_MS = 60_000;
const THE_REST = '';

export type RecordWindows<T> = {
  /** True when it is to be recorded, false when it was counted. */
  take(subject: string, kind: string, example: T): boolean;
  /** What was counted in windows that have ended, or in all of them, each handed over once. */
  drain(options?: { all: boolean }): Drained<T>;
};

export type Drained<T> = {
  /** `example` is what was recorded of it. */
  counted: { example: T; repeated: number }[];
  /** Beyond the number of subjects. */
  unrecorded: number;
};

type Options = { now: () => Date; subjectsMax: number; kindsMax: number };
type Subject<T> = { endsAtMs: number; kinds: Map<string, { example: T; repeated: number }> };

export function createRecordWindows<T>({ now, subjectsMax, kindsMax }: Options): RecordWindows<T> {
  // Oldest first: all windows are of the same length.
  const subjects = new Map<string, Subject<T>>();
  let ended: Drained<T>['counted'] = [];
  let unrecorded = 0;

  function end(name: string, { kinds }: Subject<T>): void {
    subjects.delete(name);
    for (const kind of kinds.values()) if (kind.repeated > 0) ended.push(kind);
  }

  function endOld(nowMs: number): void {
    for (const [name, subject] of subjects) {
      // A clock that was set back must not keep a window open.
      if (subject.endsAtMs > nowMs && subject.endsAtMs - nowMs <= WINDOW_MS) return;
      end(name, subject);
    }
  }

  function windowOf(name: string): Subject<T> | undefined {
    const nowMs = now().getTime();
    endOld(nowMs);
    const known = subjects.get(name);
    if (known !== undefined) return known;
    if (subjects.size >= subjectsMax) return undefined;
    const fresh: Subject<T> = { endsAtMs: nowMs + WINDOW_MS, kinds: new Map() };
    subjects.set(name, fresh);
    return fresh;
  }

  return {
    take(name, kind, example) {
      const kinds = windowOf(name)?.kinds;
      if (kinds === undefined) {
        unrecorded++;
        return false;
      }
      const key = kinds.has(kind) || kinds.size < kindsMax ? kind : THE_REST;
      const known = kinds.get(key);
      if (known === undefined) {
        kinds.set(key, { example, repeated: 0 });
        return true;
      }
      known.repeated++;
      return false;
    },
    drain({ all } = { all: false }) {
      if (all) for (const [name, subject] of subjects) end(name, subject);
      else endOld(now().getTime());
      const drained = { counted: ended, unrecorded };
      ended = [];
      unrecorded = 0;
      return drained;
    },
  };
}
