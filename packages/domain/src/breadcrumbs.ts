import { isUuid } from './uuid.ts';

export type Breadcrumb = { readonly label: string; readonly path: string };

/**
 * Breadcrumbs of a path (spec §2): one per segment, capitalised, dashes as spaces; segments that are uuids are skipped,
 * yet stay in the paths of those after them. Segments that are not valid percent-encoding are shown as they are.
 */
export function breadcrumbsOf(pathname: string): Breadcrumb[] {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return segments.flatMap((segment, index) =>
    isUuid(segment) ? [] : [{ label: labelOf(segment), path: `/${segments.slice(0, index + 1).join('/')}` }],
  );
}

function labelOf(segment: string): string {
  const words = decoded(segment).replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
