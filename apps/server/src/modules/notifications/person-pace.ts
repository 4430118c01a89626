/**
 * How many single mails or messages a person gets. Ten in a minute go out one by one; what comes beyond waits for the
 * minute to end and is one then. What had to wait, for that or for the end of the quiet hours, goes out together.
 */
import type { Tx } from '../../storage/schema.ts';
import { defaultPreferences } from './default-preferences.ts';
import { type Lane, lockPace, type Pace, postpone, type Recipient } from './delivery-repository.ts';
import { quietUntil } from './delivery-time.ts';

const WINDOW_MS = 60_000;
const SINGLES_PER_WINDOW = 10;

type Turn = {
  pace: Pace;
  /** Nothing but what concerns the account may go out now; all else was put off. */
  urgentOnly: boolean;
};

/** Locks the lane and says what may go out of it now. `collects`: everything goes out together anyway. */
export async function takeTurn(
  tx: Tx,
  lane: Lane,
  { recipient, at, collects }: { recipient: Recipient | undefined; at: Date; collects: boolean },
): Promise<Turn> {
  const known = await lockPace(tx, lane, at);
  const isOver = known.windowStart.getTime() + WINDOW_MS <= at.getTime();
  const pace = isOver ? { windowStart: at, sent: 0 } : known;
  const until = recipient && putOffUntil(recipient, { at, pace, collects });
  if (until !== undefined) await postpone(tx, lane, { at, until });
  return { pace, urgentOnly: until !== undefined };
}

function putOffUntil(
  { preferences, timeZone }: Recipient,
  { at, pace, collects }: { at: Date; pace: Pace; collects: boolean },
): Date | undefined {
  const quiet = quietUntil(at, { preferences: preferences ?? defaultPreferences, timeZone });
  if (quiet !== undefined) return quiet;
  const isFull = !collects && pace.sent >= SINGLES_PER_WINDOW;
  return isFull ? new Date(pace.windowStart.getTime() + WINDOW_MS) : undefined;
}

/** Whether these go out as one. */
export function goTogether(
  rows: readonly { held: boolean }[],
  { sent, collects }: { sent: number; collects: boolean },
): boolean {
  if (rows.length < 2) return false;
  return collects || sent + rows.length > SINGLES_PER_WINDOW || rows.some(({ held }) => held);
}
