import { tx } from '../language/rich-text.ts';
import { RelativeTime } from '../ui/relative-time.tsx';

/**
 * Ends what a list says of itself: " · updated 5 min ago".
 *
 * @param at when it was answered, milliseconds since the epoch; 0, as queries have it, while the rows are those of
 *   another page or filter: then nothing is said
 */
export function Updated({ at }: { at: number }) {
  if (at === 0) return null;
  return tx(' · updated {time}', { time: <RelativeTime time={new Date(at).toISOString()} /> });
}
