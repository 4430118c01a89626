import { pageLanguage } from '../language/translate.ts';
import { byteSize } from './byte-size.ts';

/** `471 kB`, as the page's language writes numbers. */
export function fileSize(bytes: number): string {
  const { value, unit } = byteSize(bytes);
  return `${value.toLocaleString(pageLanguage(), { maximumSignificantDigits: 3 })} ${unit}`;
}

/** The address behind a download link of the API, which may live elsewhere than this page. */
export function downloadAddress(link: string, apiBase: string, page: string): string {
  return new URL(link, new URL(apiBase, page)).href;
}
