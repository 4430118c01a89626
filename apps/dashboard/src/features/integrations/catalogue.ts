import type { Integration } from '@airdeck/contracts/integrations/schema';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { hasWords } from './text-match.ts';

type Filter = { q?: string | undefined; categories?: readonly string[] | undefined };

/** What can be connected, by name, as search and categories leave it. What is not visible is not offered (spec §3). */
export function offered(integrations: readonly Integration[], { q, categories }: Filter = {}): Integration[] {
  return integrations
    .filter(({ visible }) => visible)
    .filter(({ category }) => categories === undefined || categories.includes(category))
    .filter(({ id, name, vendor, product, category, description }) =>
      hasWords(q, [id, name, vendor, product, category, description]),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Categories of what is offered with their counts, by name. */
export function categoriesOf(integrations: readonly Integration[]): { value: string; label: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { category } of offered(integrations)) counts.set(category, (counts.get(category) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, label: categoryWords(value), count }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

const knownWords: Readonly<Record<string, string>> = {
  cloud: t('Cloud'),
  communication: t('Communication'),
  endpoint: t('Endpoint'),
  generic: t('Generic'),
  identity: t('Identity'),
  network: t('Network'),
  siem: 'SIEM',
  threat_intelligence: t('Threat intelligence'),
  ticketing: t('Ticketing'),
};

/** `threat_intelligence` is "Threat intelligence"; a category that is words already stays. */
export function categoryWords(category: string): string {
  if (Object.hasOwn(knownWords, category)) return knownWords[category] ?? category;
  const words = category.replaceAll(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What connecting it gives: "Events, metrics, 9 actions". */
export function offerText({ can_fetch_events, can_fetch_metrics, actions }: Integration): string {
  const parts = [
    ...(can_fetch_events ? [t('events')] : []),
    ...(can_fetch_metrics ? [t('metrics')] : []),
    ...(actions.length === 0 ? [] : [plural(actions.length, '{count} action', '{count} actions')]),
  ];
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
