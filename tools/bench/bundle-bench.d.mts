type BundleFigure = 'login_js_gzip' | 'home_js_gzip' | 'largest_route_chunk_gzip';

export function runBundleBench(): Record<BundleFigure, { value: number; unit: string; spread: number }>;
