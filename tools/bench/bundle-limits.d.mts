type BundleFigure = 'login_js_gzip' | 'home_js_gzip' | 'largest_route_chunk_gzip';

export const bundleLimits: Readonly<Record<BundleFigure, { atMost: number }>>;
