const MEGABYTE = 1_048_576;

export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MEGABYTE) return `${Math.round(bytes / 1024)} kB`;
  if (bytes < 1024 * MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return `${(bytes / MEGABYTE / 1024).toFixed(1)} GB`;
}

/** The address behind a download link of the API, which may live elsewhere than this page. */
export function downloadAddress(link: string, apiBase: string, page: string): string {
  return new URL(link, new URL(apiBase, page)).href;
}
