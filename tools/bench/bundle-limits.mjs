/** Gzip kB of JavaScript of a first visit, and of the largest chunk of a route; `npm test` holds the build to them. */
export const bundleLimits = {
  login_js_gzip: { atMost: 150 },
  home_js_gzip: { atMost: 190 },
  largest_route_chunk_gzip: { atMost: 60 },
};
