/** One navigation, without ids: the route's pattern, never the address. */
export type PageView = { readonly route: string };

/** Event on the window that an analytics adapter listens to; its detail is a `PageView`. */
export const PAGE_VIEW_EVENT = 'airdeck:page-view';

type NavigatedRouter = {
  subscribe(event: 'onResolved', listener: () => void): () => void;
  state: { matches: readonly { fullPath: string }[] };
};

/** Announces every finished navigation (spec §1). Returns what ends it. */
export function announcePageViews(router: NavigatedRouter, target: EventTarget): () => void {
  return router.subscribe('onResolved', () => {
    const route = router.state.matches.at(-1)?.fullPath;
    if (route !== undefined) target.dispatchEvent(new CustomEvent<PageView>(PAGE_VIEW_EVENT, { detail: { route } }));
  });
}
