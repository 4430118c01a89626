import type { SavedSearch } from '@airdeck/contracts/search/schema';
import { ActionIcon, Button, Menu, Popover, TextInput, UnstyledButton } from '@mantine/core';
import { IconBookmark, IconChevronDown, IconDots, IconTrash, IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../components/confirmation/ask-dialog.tsx';
import { t } from '../../language/translate.ts';
import { plainLetters } from '../../lib/plain-letters.ts';
import { showDone } from '../../lib/toasts.ts';
import { searchMutations, searchQueries } from '../../queries/search.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import type { EventSearch, EventSearchChange } from './event-search.ts';
import { SaveDialog } from './save-dialog.tsx';
import classes from './saved-searches.module.css';
import { isChanged, isSavable, openedSearch } from './search-selection.ts';
import { DEFAULT_RANGE } from './time-range.ts';

type Props = {
  search: EventSearch;
  onOpen: (change: EventSearchChange) => void;
  /** The search was saved under this id, or is none any more. */
  onSaved: (id: string | undefined) => void;
};

/** Own and shared searches: open, save, save under another name, delete. */
export function SavedSearches({ search, onOpen, onSaved }: Props) {
  const saved = useQuery(searchQueries.saved(useTenantApi()));
  const [opened, setOpened] = useState(false);
  const [saving, setSaving] = useState<'new' | SavedSearch>();
  const [deleting, setDeleting] = useState<SavedSearch>();
  const current = saved.data?.find(({ id }) => id === search.saved);
  const changed = current !== undefined && isChanged(search, current);
  const savable = isSavable(search.timeRange ?? DEFAULT_RANGE);
  return (
    <>
      <Popover position="bottom-end" width={340} trapFocus returnFocus opened={opened} onChange={setOpened}>
        <Popover.Target>
          <Button
            variant="default"
            maw={240}
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            onClick={() => setOpened(!opened)}
          >
            {current === undefined
              ? t('Saved searches')
              : changed
                ? t('{name} (changed)', { name: current.name })
                : current.name}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={classes.menu}>
          {saved.data !== undefined ? (
            <SavedList
              searches={saved.data}
              openId={search.saved}
              onOpen={(each) => {
                setOpened(false);
                onOpen(openedSearch(each));
              }}
              onEdit={(each) => {
                setOpened(false);
                setSaving(each);
              }}
              onDelete={(each) => {
                setOpened(false);
                setDeleting(each);
              }}
            />
          ) : saved.isError ? (
            <ErrorState error={saved.error} onRetry={() => void saved.refetch()} retrying={saved.isFetching} />
          ) : (
            <p className={classes.none}>{t('Loading …')}</p>
          )}
          <div className={classes.foot}>
            {changed && current.editable && savable ? (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  setOpened(false);
                  setSaving(current);
                }}
              >
                {t('Save changes')}
              </Button>
            ) : null}
            {savable ? (
              <Button
                size="compact-sm"
                onClick={() => {
                  setOpened(false);
                  setSaving('new');
                }}
              >
                {t('Save this search')}
              </Button>
            ) : (
              <p className={classes.none}>
                {t('This time range from a link cannot be saved; choose a preset or two moments.')}
              </p>
            )}
          </div>
        </Popover.Dropdown>
      </Popover>
      {saving === undefined ? null : (
        <SaveDialog
          search={search}
          replaces={saving === 'new' ? undefined : saving}
          onClose={() => setSaving(undefined)}
          onSaved={(id) => {
            setSaving(undefined);
            onSaved(id);
          }}
        />
      )}
      {deleting === undefined ? null : (
        <DeleteDialog
          of={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            if (deleting.id === search.saved) onSaved(undefined);
          }}
        />
      )}
    </>
  );
}

type ListProps = {
  searches: readonly SavedSearch[];
  openId: string | undefined;
  onOpen: (search: SavedSearch) => void;
  onEdit: (search: SavedSearch) => void;
  onDelete: (search: SavedSearch) => void;
};

const SEARCHED_FROM = 8;

function SavedList({ searches, openId, onOpen, onEdit, onDelete }: ListProps) {
  const [wanted, setWanted] = useState('');
  const matching = searches.filter(({ name }) => plainLetters(name).includes(plainLetters(wanted.trim())));
  if (searches.length === 0) {
    return (
      <p className={classes.none}>
        {t('Searches you save, and those shared with everybody here, stand in this list.')}
      </p>
    );
  }
  return (
    <>
      {searches.length < SEARCHED_FROM ? null : (
        <TextInput
          size="xs"
          mb={6}
          aria-label={t('Find a saved search')}
          placeholder={t('Find a saved search')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <ul className={classes.list} aria-label={t('Saved searches')}>
        {matching.map((search) => (
          <li key={search.id} className={classes.item} data-open={search.id === openId || undefined}>
            <UnstyledButton className={classes.name} onClick={() => onOpen(search)}>
              <span className={classes.text}>{search.name}</span>
              <span className={classes.query}>
                {search.criteria.query === '' ? t('Everything') : search.criteria.query}
              </span>
            </UnstyledButton>
            {search.shared ? (
              <span className={classes.shared} title={sharedText(search)}>
                <IconUsers size={14} aria-label={sharedText(search)} role="img" />
              </span>
            ) : null}
            {search.editable ? (
              <Menu position="bottom-end" width={180} withinPortal={false}>
                <Menu.Target>
                  <ActionIcon size={24} aria-label={t('More for {name}', { name: search.name })}>
                    <IconDots size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item leftSection={<IconBookmark size={16} />} onClick={() => onEdit(search)}>
                    {t('Save over it')}
                  </Menu.Item>
                  <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => onDelete(search)}>
                    {t('Delete')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function sharedText({ own, owner }: SavedSearch): string {
  if (own) return t('Shared by you');
  // The tenant is not told the name of who is no member any more.
  return owner.name === '' ? t('Shared by somebody who has left') : t('Shared by {name}', { name: owner.name });
}

type DeleteProps = { of: SavedSearch; onClose: () => void; onDeleted: () => void };

function DeleteDialog({ of, onClose, onDeleted }: DeleteProps) {
  const remove = useMutation(searchMutations.delete(useTenantApi(), useQueryClient()));
  return (
    <AskDialog
      title={t('Delete the saved search {name}?', { name: of.name })}
      text={
        of.shared ? t('It is shared: nobody in this tenant will have it any more.') : t('It cannot be brought back.')
      }
      actionLabel={t('Delete')}
      busy={remove.isPending}
      problem={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(of.id, {
          onSuccess: () => {
            showDone(t('Saved search deleted'));
            onDeleted();
          },
        })
      }
    />
  );
}
