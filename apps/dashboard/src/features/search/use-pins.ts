import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { useCallback, useMemo, useState } from 'react';

/** A handful to compare; more would be another list. */
const MOST_PINNED = 20;

/** Events somebody keeps at hand while the search changes, as long as the screen is open. */
export function usePins() {
  const [events, setEvents] = useState<readonly FoundEvent[]>([]);
  const ids = useMemo(() => new Set(events.map(({ id }) => id)), [events]);
  const toggle = useCallback(
    (event: FoundEvent) =>
      setEvents((before) =>
        before.some(({ id }) => id === event.id)
          ? before.filter(({ id }) => id !== event.id)
          : [...before, event].slice(-MOST_PINNED),
      ),
    [],
  );
  const clear = useCallback(() => setEvents([]), []);
  return { events, ids, toggle, clear };
}
