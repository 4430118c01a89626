import { describe, expect, it } from 'vitest';
import { createRecordWindows } from './record-windows.ts';

function open(options: { subjectsMax?: number; kindsMax?: number } = {}) {
  let at = 1_000_000;
  const windows = createRecordWindows<string>({
    ...{ now: () => new Date(at), subjectsMax: 100, kindsMax: 3 },
    ...options,
  });
  const pass = (ms: number) => {
    at += ms;
  };
  return { ...windows, pass };
}

describe('records anybody can cause', () => {
  it('are one for each kind, subject and minute, and a count once the minute is over', () => {
    const { take, drain, pass } = open();
    expect([take('ana', 'limit', 'first'), take('ana', 'limit', 'second'), take('ana', 'limit', 'third')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([take('ana', 'origin', 'other'), take('tom', 'limit', 'his')]).toEqual([true, true]);
    expect(drain()).toEqual({ counted: [], unrecorded: 0 });
    pass(60_000);
    expect(drain()).toEqual({ counted: [{ example: 'first', repeated: 2 }], unrecorded: 0 });
    expect(drain()).toEqual({ counted: [], unrecorded: 0 });
    expect(take('ana', 'limit', 'again')).toBe(true);
  });

  it('lose no count when the next window begins before anybody asked for it', () => {
    const { take, drain, pass } = open();
    take('ana', 'limit', 'first');
    take('ana', 'limit', 'second');
    pass(60_000);
    expect(take('ana', 'limit', 'third')).toBe(true);
    expect(drain().counted).toEqual([{ example: 'first', repeated: 1 }]);
  });

  it('hand all counts over at the end, also of windows that go on', () => {
    const { take, drain } = open();
    take('ana', 'limit', 'first');
    take('ana', 'limit', 'second');
    expect(drain({ all: true }).counted).toEqual([{ example: 'first', repeated: 1 }]);
    expect(drain({ all: true }).counted).toEqual([]);
  });

  it('stay few for who tries a thousand kinds', () => {
    const { take, drain } = open();
    const recorded = Array.from({ length: 1000 }, (_, n) => take('ana', `kind ${n}`, `${n}`)).filter(Boolean);
    expect(recorded).toHaveLength(4);
    expect(drain({ all: true }).counted).toEqual([{ example: '3', repeated: 996 }]);
  });

  it('stay few for who comes from a thousand addresses, and what has no record is counted', () => {
    const { take, drain } = open({ subjectsMax: 10 });
    const recorded = Array.from({ length: 1000 }, (_, n) => take(`address ${n}`, 'limit', `${n}`)).filter(Boolean);
    expect(recorded).toHaveLength(10);
    expect(drain()).toEqual({ counted: [], unrecorded: 990 });
  });

  it('begin anew when the clock was set back by an hour', () => {
    const { take, pass } = open();
    take('ana', 'limit', 'first');
    pass(-3_600_000);
    expect(take('ana', 'limit', 'second')).toBe(true);
  });
});
