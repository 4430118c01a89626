/** One navigation, without ids: the route's pattern, never the address. */
export type PageView = { readonly route: string };
export type PageViewSink = (view: PageView) => void;

type NavigatedRouter = {
  subscribe(event: 'onResolved', listener: () => void): () => void;
  state: { matches: readonly { fullPath: string }[] };
};

/** Reports every finished navigation to an analytics service (spec §1). Returns what ends it. */
export function watchPageViews(router: NavigatedRouter, sink: PageViewSink): () => void {
  return router.subscribe('onResolved', () => {
    const route = router.state.matches.at(-1)?.fullPath;
    if (route !== undefined) sink({ route });
  });
}
