/** What telemetry is about: a finished navigation by the pattern of its route, never its address, or a failure. */
export type Happening =
  | { readonly kind: 'view'; readonly route: string }
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
  subscribe(event: 'onResolved', listener: () => void): () => void;
  state: { matches: readonly { fullPath: string }[] };
};

/** Notes every finished navigation (spec §1). Returns what ends it. */
export function notePageViews(router: NavigatedRouter, queue: Pick<typeof telemetryQueue, 'add'>): () => void {
  return router.subscribe('onResolved', () => {
    const path = router.state.matches.at(-1)?.fullPath;
    // Index routes end with a slash.
    if (path !== undefined) queue.add({ kind: 'view', route: path.length > 1 ? path.replace(/\/$/, '') : path });
  });
}
