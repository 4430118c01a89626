import { readFileSync } from 'node:fs';
import { breadcrumbsOf } from '@airdeck/domain/breadcrumbs';

/** Words of the addresses behind the sign-in, as breadcrumbs show them. */
export function addressWords(): string[] {
  const tree = readFileSync(new URL('../routeTree.gen.ts', import.meta.url), 'utf8');
  const addresses = [...tree.matchAll(/'\/_dashboard(\/[^']+)': \{/g)].map(([, address = '']) => address);
  return [...new Set(addresses.flatMap(breadcrumbsOf).map(({ label }) => label))].filter(
    (word) => !word.startsWith('$'),
  );
}
