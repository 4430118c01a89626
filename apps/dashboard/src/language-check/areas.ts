/**
 * Files whose English stays, or is translated where it is shown: tables of fixed messages, what only whoever runs the
 * server reads, and data for machines.
 */
export const notTexts: readonly string[] = [
  'lib/app-config.ts',
  'lib/error-presentation.ts',
  'lib/file-download.ts',
  'lib/load-failures.ts',
  'session/identity-provider.ts',
  'session/clerk-',
  'session/session-store.ts',
  'telemetry/',
];

/** Catalogue of a file's texts, by the beginning of its path; the first that fits. */
const areas: readonly (readonly [string, string])[] = [
  // Part of what loads before the sign-in, or on both sides of it.
  ['features/auth/', 'entry'],
  ['features/onboarding/', 'entry'],
  ['features/signup/', 'entry'],
  ['components/account/', 'entry'],
  ['components/entry/', 'entry'],
  ['components/failure-text', 'entry'],
  ['lib/', 'entry'],
  ['session/', 'entry'],
  ['ui/', 'entry'],
  ['routes/', 'entry'],
  ['main.tsx', 'entry'],
  ['shell/config-problems-page', 'entry'],
  ['shell/error-page', 'entry'],
  ['shell/not-found-page', 'entry'],
  ['shell/screen-pending', 'entry'],
  ['shell/', 'shell'],
  ['components/', 'components'],
  ['features/actions/', 'actions'],
  ['features/activity/', 'activity'],
  ['features/air/', 'cases'],
  ['features/air-overview/', 'cases'],
  ['features/overview/', 'cases'],
  ['features/automation/', 'automation'],
  ['features/graylog/', 'graylog'],
  ['features/home/', 'home'],
  ['features/integrations/', 'integrations'],
  ['features/sources/', 'integrations'],
  ['features/set-up-wizard/', 'integrations'],
  ['features/playbooks/', 'playbooks'],
  ['features/policies/', 'policies'],
  ['features/report/', 'reports'],
  ['features/search/', 'search'],
  ['queries/', 'shared'],
  ['features/settings/', 'settings'],
];

/** What more than one of the screens' areas says. */
export const SHARED = 'shared';

/** Undefined for a file that belongs to no area yet. */
export function areaOf(path: string): string | undefined {
  return areas.find(([start]) => path.startsWith(start))?.[1];
}

/** The one catalogue a text is in, by the files that use it. */
export function catalogueOf(paths: readonly string[]): string {
  const found = new Set(paths.map((path) => areaOf(path) ?? SHARED));
  if (found.has('entry')) return 'entry';
  const [only = SHARED] = found;
  return found.size === 1 ? only : SHARED;
}
