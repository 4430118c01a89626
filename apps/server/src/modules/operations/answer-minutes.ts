import type { Operations } from '@airdeck/contracts/operations/schema';
import type { MinuteCount } from './objective-repository.ts';

const MINUTE_MS = 60_000;
const SHOWN = 60;

/** Every minute of the last hour, oldest first, those in which nobody called included. */
export function answerMinutes(counted: readonly MinuteCount[], at: Date): Operations['answers'] {
  const found = new Map(counted.map(({ minute, good, bad }) => [minute.getTime(), { good, bad }]));
  const last = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  return Array.from({ length: SHOWN }, (_, n) => {
    const minute = last - (SHOWN - 1 - n) * MINUTE_MS;
    return { minute: new Date(minute).toISOString(), ...(found.get(minute) ?? { good: 0, bad: 0 }) };
  });
}
