import { Kbd, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight, type SpotlightStore, useSpotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { tx } from '../language/rich-text.ts';
import { t } from '../language/translate.ts';
import { type Entry, fittingGroups } from './palette-entries.ts';
import classes from './quick-keys.module.css';
import type { RecentVisits } from './recent-visits.ts';
import { usePaletteGroups } from './use-palette-groups.ts';

const TYPING_MS = 200;

type Props = {
  recent: RecentVisits;
  onClose: () => void;
  onKeys: () => void;
  onSwitchTenant: (tenantId: string) => void;
};

/** Jumps to whatever is named: screens, cases, playbooks, actions, integrations, tenants. Open as long as it is mounted. */
export function CommandPalette({ recent, onClose, onKeys, onSwitchTenant }: Props) {
  const [[store, actions]] = useState(createSpotlight);
  const [query, setQuery] = useState('');
  const [caseText] = useDebouncedValue(query.trim(), TYPING_MS);
  const groups = fittingGroups(usePaletteGroups({ query, caseText, recent, onSwitchTenant }), query);
  useEffect(() => actions.open(), [actions]);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      scrollable
      maxHeight={420}
      size={600}
      classNames={{ content: classes.palette ?? '', actionsGroup: classes.group ?? '' }}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      aria-label={t('Jump to')}
    >
      <Spotlight.Search
        aria-label={t('Jump to')}
        placeholder={t('Jump to a screen, case, playbook, action…')}
        leftSection={<IconSearch size={18} aria-hidden />}
        // The store does not tell of what the arrows choose.
        onKeyUp={() => store.setState({ ...store.getState() })}
      />
      <Spotlight.ActionsList>
        {groups.map(({ title, entries }) => (
          <Spotlight.ActionsGroup key={title} label={title}>
            {entries.map((entry) => (
              <PaletteEntry key={entry.id} entry={entry} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 ? (
          <Spotlight.Empty>{t('Nothing is called “{query}”.', { query: query.trim() })}</Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
      <ChosenEntry store={store} entries={groups.flatMap(({ entries }) => entries)} isSearching={query.trim() !== ''} />
      <Spotlight.Footer className={classes.foot}>
        <span>
          {tx('{kbd} {kbd2} choose <kbd3>Enter</kbd3> go', {
            kbd: <Kbd size="xs">↑</Kbd>,
            kbd2: <Kbd size="xs">↓</Kbd>,
            kbd3: (text) => <Kbd size="xs">{text}</Kbd>,
          })}
        </span>
        <button type="button" className={classes.keysLink} onClick={onKeys}>
          {tx('All keys {kbd}', { kbd: <Kbd size="xs">?</Kbd> })}
        </button>
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}

type Choice = { store: SpotlightStore; entries: readonly Entry[]; isSearching: boolean };

/**
 * The focus stays in the field, so what the arrows choose has to be said. The first entry is chosen as one types; where it comes
 * from the server a moment later, or stood in another place before, that is done here.
 */
function ChosenEntry({ store, entries, isSearching }: Choice) {
  const { selected, listId } = useSpotlight(store);
  const shown = entries.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entries are looked for on the page once others are shown
  useEffect(() => {
    if (!isSearching || listId === '') return;
    const actions = [...document.querySelectorAll(`#${listId} [data-action]`)];
    if (actions.length === 0) return;
    const place = actions.findIndex((action) => action.hasAttribute('data-selected'));
    if (place === -1) actions[0]?.setAttribute('data-selected', 'true');
    store.setState({ ...store.getState(), selected: Math.max(0, place) });
  }, [shown]);
  const chosen = entries[selected];
  return (
    <VisuallyHidden role="status">
      {chosen === undefined ? '' : [chosen.label, chosen.more].filter((part) => part !== undefined).join(', ')}
    </VisuallyHidden>
  );
}

function PaletteEntry({ entry: { label, more, keys, run } }: { entry: Entry }) {
  return (
    <Spotlight.Action onClick={run} className={classes.entry}>
      <span className={classes.entryLabel}>{label}</span>
      {more === undefined ? null : <span className={classes.entryMore}>{more}</span>}
      {keys === undefined ? null : (
        <span className={classes.entryKeys} aria-hidden="true">
          {keys.map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </span>
      )}
    </Spotlight.Action>
  );
}
