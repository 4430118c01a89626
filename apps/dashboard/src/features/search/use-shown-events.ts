import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { EventSearch } from './event-search.ts';
import { useLiveTail } from './live-tail.ts';
import { criteriaOf } from './search-selection.ts';

type Needs = {
  search: EventSearch;
  found: readonly FoundEvent[];
  /** Stand first, whatever is searched. */
  pinned: readonly FoundEvent[];
  /** Nothing may move: it is paused, or somebody reads further down. */
  held: boolean;
};

/** What the list shows: what was found, and while tailing what has come in since, above it. */
export function useShownEvents({ search, found, pinned, held }: Needs) {
  const live = search.live === true;
  const heldNow = useRef(held);
  useEffect(() => {
    heldNow.current = held;
  }, [held]);
  const isHeld = useCallback(() => heldNow.current, []);
  const { tail, release, restart } = useLiveTail(live ? criteriaOf(search) : undefined, isHeld);
  useEffect(() => {
    if (!held) release();
  }, [held, release]);
  const events = useMemo(() => {
    const above = live ? [...pinned, ...tail.shown] : pinned;
    if (above.length === 0) return found;
    const shown = new Map(above.map((event) => [event.id, event]));
    return [...shown.values(), ...found.filter(({ id }) => !shown.has(id))];
  }, [live, pinned, tail.shown, found]);
  return { events, tail, release, restart };
}
