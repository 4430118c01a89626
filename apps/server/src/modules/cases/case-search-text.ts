/**
 * What the search of cases looks in: what a case is called and holds, and behind a mark the values its events name. The first
 * part is written anew with every change of the case; the values are added as events come, each once, up to what a list of
 * many cases can be searched in.
 */
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import { storableText } from '@airdeck/domain/storable-json';
import { entitiesOfEvent } from './case-entities.ts';

export const caseValues = { max: 100, maxCharacters: 4_000 } as const;
/** Stands before the values, and nowhere else. */
export const VALUES_MARK = '\u001e';
/** Nothing in a value ends it. */
const CONTROL = /\p{Cc}+/gu;

/** `search_text`: of the row as it is, where there is one; its values are kept. */
export function searchTextOf(row: {
  number: number;
  name: string;
  description: string;
  meta: JsonObject;
  log_sources: readonly string[];
  tags: readonly string[];
  assignee: string | null;
  search_text?: string;
}): string {
  const parts = [`case-${row.number}`, row.name, ...Object.values(row.meta), ...row.log_sources, ...row.tags];
  const text = [...parts, row.assignee ?? '', row.description].join('\n').toLowerCase().replaceAll(VALUES_MARK, ' ');
  const values = row.search_text?.split(VALUES_MARK)[1];
  return storableText(values === undefined ? text : text + VALUES_MARK + values);
}

/** The first users, hosts, addresses and hashes the events of each case name: no more than its text takes. */
export function valuesByCase(
  events: readonly { caseId: string; event: StoredEvent }[],
): { caseId: string; values: string[] }[] {
  const byCase = new Map<string, Set<string>>();
  for (const { caseId, event } of events) {
    const values = byCase.get(caseId) ?? new Set<string>();
    byCase.set(caseId, values);
    for (const { value } of entitiesOfEvent(event)) {
      // What is there already may be among the first, so as many again are looked at.
      if (values.size >= 2 * caseValues.max) break;
      values.add(value.toLowerCase().replaceAll(CONTROL, ' '));
    }
  }
  return [...byCase].map(([caseId, values]) => ({ caseId, values: [...values] }));
}
