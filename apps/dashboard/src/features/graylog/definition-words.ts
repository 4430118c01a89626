import { formatDuration } from '@airdeck/domain/duration';
import { t } from '../../language/translate.ts';
import { plainLetters } from '../../lib/plain-letters.ts';
import type { EventDefinition } from '../../queries/graylog-answers.ts';
import type { DefinitionsSearch } from './graylog-search.ts';

/** "every 1 min over 5 min"; null where Graylog does not say, as for definitions it evaluates by other means. */
export function scheduleWords(
  { execute_every_ms: every, search_within_ms: within }: Pick<EventDefinition, 'execute_every_ms' | 'search_within_ms'>,
  locale: string,
): string | null {
  const text = (ms: number) => formatDuration(ms / 1000, locale);
  if (every !== null && within !== null)
    return t('every {every} over {within}', { every: text(every), within: text(within) });
  if (every !== null) return t('every {every}', { every: text(every) });
  return within === null ? null : t('over {within}', { within: text(within) });
}

/** Those that fit search and filters, by title. */
export function matchingDefinitions(
  definitions: readonly EventDefinition[],
  { q, filters }: Pick<DefinitionsSearch, 'q' | 'filters'>,
): EventDefinition[] {
  const words = plainLetters(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const { priority, state } = filters ?? {};
  return definitions
    .filter((definition) => {
      const { id, title, description, query, notifications } = definition;
      const named = notifications.map((notification) => notification.title);
      const text = plainLetters([id, title, description, query, ...named].join('\n'));
      return (
        words.every((word) => text.includes(word)) &&
        (priority === undefined || priority.some((each) => each === `${definition.priority}`)) &&
        (state === undefined || state.some((each) => each === stateOf(definition)))
      );
    })
    .toSorted((one, other) => one.title.localeCompare(other.title));
}

/** Undefined on servers that do not say. */
export function stateOf({ enabled }: Pick<EventDefinition, 'enabled'>): 'enabled' | 'disabled' | undefined {
  return enabled === null ? undefined : enabled ? 'enabled' : 'disabled';
}
