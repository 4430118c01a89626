/**
 * What telemetry is about: a navigation that begins or is finished, by the pattern of its route and never its address, or a
 * failure.
 */
export type Happening =
  | { readonly kind: 'opening' | 'view'; readonly route: string }
  | { readonly kind: 'failure'; readonly error: unknown };

const WAITING_MAX = 50;

/** What happened before something listens: its code loads after the first screen is there. */
export const telemetryQueue = createTelemetryQueue();

export function createTelemetryQueue() {
  let waiting: Happening[] = [];
  let sink: ((happening: Happening) => void) | undefined;
  return {
    add(happening: Happening): void {
      if (sink !== undefined) sink(happening);
      // The first ones tell how it began.
      else if (waiting.length < WAITING_MAX) waiting.push(happening);
    },
    drainTo(next: (happening: Happening) => void): void {
      sink = next;
      const early = waiting;
      waiting = [];
      for (const happening of early) next(happening);
    },
  };
}

export function noteFailure(error: unknown): void {
  telemetryQueue.add({ kind: 'failure', error });
}

type NavigatedRouter = {
  subscribe(event: 'onBeforeLoad', listener: (event: { toLocation: { pathname: string } }) => void): () => void;
  subscribe(event: 'onResolved', listener: () => void): () => void;
  getMatchedRoutes(pathname: string): readonly [readonly { fullPath: string }[], ...unknown[]];
  state: { matches: readonly { fullPath: string }[] };
};

/** Notes every navigation: that it begins, so what fails while it loads is the new screen's, and that it is finished (spec §1). */
export function noteNavigation(router: NavigatedRouter, queue: Pick<typeof telemetryQueue, 'add'>): void {
  const note = (kind: 'opening' | 'view', path: string | undefined) => {
    // Index routes end with a slash.
    if (path !== undefined) queue.add({ kind, route: path.length > 1 ? path.replace(/\/$/, '') : path });
  };
  router.subscribe('onBeforeLoad', ({ toLocation }) => {
    note('opening', router.getMatchedRoutes(toLocation.pathname)[0].at(-1)?.fullPath);
  });
  router.subscribe('onResolved', () => note('view', router.state.matches.at(-1)?.fullPath));
}
