import type { SearchScope } from '@airdeck/contracts/search/schema';
import { t } from '../../language/translate.ts';

type TypeRow = { readonly entry: string; readonly eventType: string; readonly events: number };
type ScopeRow = { readonly integration: string; readonly events: number; readonly types: readonly TypeRow[] };

/** Integrations by name with their event types; those of the address too that have sent nothing. */
export function scopeTree(scopes: readonly SearchScope[], picked: readonly string[], wanted: string): ScopeRow[] {
  const types = new Map<string, Map<string, number>>();
  const add = (integration: string, eventType: string | undefined, events: number) => {
    const known = types.get(integration) ?? new Map<string, number>();
    if (eventType !== undefined) known.set(eventType, (known.get(eventType) ?? 0) + events);
    types.set(integration, known);
  };
  for (const { integration, event_type, events } of scopes) add(integration, event_type, events);
  for (const entry of picked) add(integrationOf(entry), typeOf(entry), 0);
  const text = wanted.trim().toLowerCase();
  return [...types]
    .map(([integration, ofIt]) => ({
      integration,
      events: [...ofIt.values()].reduce((sum, events) => sum + events, 0),
      types: [...ofIt]
        .filter(([eventType]) => `${integration} ${eventType}`.toLowerCase().includes(text))
        .map(([eventType, events]) => ({ entry: `${integration}:${eventType}`, eventType, events }))
        .toSorted((a, b) => compare(a.eventType, b.eventType)),
    }))
    .filter(({ integration, types: left }) => left.length > 0 || integration.toLowerCase().includes(text))
    .toSorted((a, b) => compare(a.integration, b.integration));
}

/** Whether an integration, or an event type by itself or through its integration, is chosen. */
export function isPicked(picked: readonly string[], entry: string): boolean {
  return picked.includes(entry) || (typeOf(entry) !== undefined && picked.includes(integrationOf(entry)));
}

/** An integration takes the place of its event types; undefined when nothing is left. */
export function togglePicked(picked: readonly string[], entry: string): string[] | undefined {
  const isType = typeOf(entry) !== undefined;
  const integration = integrationOf(entry);
  const next = picked.includes(entry)
    ? picked.filter((each) => each !== entry)
    : [...picked.filter((each) => (isType ? each !== integration : integrationOf(each) !== integration)), entry];
  return next.length === 0 ? undefined : next;
}

/** "All sources", "okta, sshd · authentication", "4 sources". */
export function scopesText(picked: readonly string[]): string {
  if (picked.length === 0) return t('All sources');
  if (picked.length > 2) return t('{count} sources', { count: picked.length });
  return picked.map((entry) => entry.replace(':', ' · ')).join(', ');
}

function integrationOf(entry: string): string {
  return entry.split(':', 1)[0] ?? entry;
}

function typeOf(entry: string): string | undefined {
  const at = entry.indexOf(':');
  return at === -1 ? undefined : entry.slice(at + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
