import type { StreamState } from '@airdeck/api-client/event-stream';
import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { listText } from '@airdeck/contracts/value-list';
import { useCallback, useEffect, useReducer, useState } from 'react';
import type { Selection } from '../../queries/search.ts';
import { useTenantApi } from '../../session/app-context.ts';

/** Events kept of a tail; older ones are in the store, where a search finds them. */
const MOST_KEPT = 1000;

/**
 * What came in, newest first. While held (paused, or somebody reads further down), events wait instead of moving the list.
 * `leftOut` counts what the server did not send because there was too much; `dropped` what waited too long here.
 */
export type Tail = {
  readonly state: StreamState;
  readonly shown: readonly FoundEvent[];
  readonly waiting: readonly FoundEvent[];
  /** Ids of what was shown last, to tint it. */
  readonly fresh: ReadonlySet<string>;
  readonly leftOut: number;
  readonly dropped: number;
  /** Why it will not go on. */
  readonly ended: string | undefined;
};

type TailChange =
  | {
      readonly type: 'arrived';
      readonly events: readonly FoundEvent[];
      readonly leftOut: number;
      readonly held: boolean;
    }
  | { readonly type: 'released' }
  | { readonly type: 'state'; readonly state: StreamState }
  | { readonly type: 'ended'; readonly reason: string }
  | { readonly type: 'restarted' };

export const emptyTail: Tail = {
  state: 'connecting',
  shown: [],
  waiting: [],
  fresh: new Set(),
  leftOut: 0,
  dropped: 0,
  ended: undefined,
};

export function tailAfter(tail: Tail, change: TailChange): Tail {
  switch (change.type) {
    case 'arrived': {
      const known = new Set([...tail.shown, ...tail.waiting].map(({ id }) => id));
      // The server looks a little further back each time, also after a lost connection, so that nothing falls in between.
      const fresh = change.events.filter(({ id }) => !known.has(id)).toReversed();
      const leftOut = tail.leftOut + change.leftOut;
      if (!change.held) return { ...released(tail, fresh), leftOut };
      const waiting = [...fresh, ...tail.waiting];
      const dropped = tail.dropped + Math.max(0, waiting.length - MOST_KEPT);
      return { ...tail, waiting: waiting.slice(0, MOST_KEPT), dropped, leftOut };
    }
    case 'released':
      return released(tail, []);
    case 'state':
      return { ...tail, state: change.state };
    case 'ended':
      return { ...tail, ended: change.reason };
    case 'restarted':
      return emptyTail;
  }
}

function released(tail: Tail, arrived: readonly FoundEvent[]): Tail {
  const fresh = [...arrived, ...tail.waiting];
  if (fresh.length === 0) return tail;
  const shown = [...fresh, ...tail.shown].slice(0, MOST_KEPT);
  return { ...tail, shown, waiting: [], fresh: new Set(fresh.map(({ id }) => id)) };
}

/** Listens while a selection is given; each other selection starts anew, as `restart` does. */
export function useLiveTail(
  selection: Omit<Selection, 'time_range'> | undefined,
  isHeld: () => boolean,
): { tail: Tail; release: () => void; restart: () => void } {
  const { api, tenantId } = useTenantApi();
  const [tail, dispatch] = useReducer(tailAfter, emptyTail);
  const [started, setStarted] = useState(0);
  const asked = selection === undefined ? undefined : JSON.stringify(selection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another start listens again
  useEffect(() => {
    if (asked === undefined) return undefined;
    const { integrations = [], connector_id, query, filters = [] } = JSON.parse(asked) as Omit<Selection, 'time_range'>;
    dispatch({ type: 'restarted' });
    const close = api.subscribe(
      'search.tail',
      {
        params: { tenant: tenantId },
        query: {
          integrations: listText(integrations),
          ...(connector_id === undefined ? {} : { connector_id }),
          query,
          filters: JSON.stringify(filters),
        },
      },
      {
        onState: (state) => dispatch({ type: 'state', state }),
        onMessage: (data, name) => {
          const change = changeOf(data, name, isHeld());
          if (change?.type === 'ended') close();
          if (change !== undefined) dispatch(change);
        },
      },
    );
    return close;
  }, [api, tenantId, asked, isHeld, started]);
  return {
    tail,
    release: useCallback(() => dispatch({ type: 'released' }), []),
    restart: useCallback(() => setStarted((before) => before + 1), []),
  };
}

/** Undefined for messages this release does not know. */
function changeOf(data: unknown, name: string, held: boolean): TailChange | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (name === 'ended') {
    const reason = 'reason' in data && typeof data.reason === 'string' ? data.reason : '';
    return { type: 'ended', reason };
  }
  if (!('events' in data) || !Array.isArray(data.events)) return undefined;
  const leftOut = 'left_out' in data && typeof data.left_out === 'number' ? data.left_out : 0;
  return { type: 'arrived', events: data.events as FoundEvent[], leftOut, held };
}
