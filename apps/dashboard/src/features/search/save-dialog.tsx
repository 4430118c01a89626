import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { SavedSearch } from '@airdeck/contracts/search/schema';
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { searchMutations, searchQueries } from '../../queries/search.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useRefusal } from '../../ui/use-refusal.ts';
import type { EventSearch } from './event-search.ts';
import { savedBody } from './search-selection.ts';

type Props = {
  search: EventSearch;
  /** The saved search that is written over; undefined for a new one. */
  replaces: SavedSearch | undefined;
  onClose: () => void;
  onSaved: (id: string) => void;
};

const NAME_MAX = 120;

/** Keeps the search as it stands on the screen, under a name. */
export function SaveDialog({ search, replaces, onClose, onSaved }: Props) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const create = useMutation(searchMutations.save(tenantApi, queryClient));
  const change = useMutation(searchMutations.change(tenantApi, queryClient));
  const [name, setName] = useState(replaces?.name ?? '');
  const [shared, setShared] = useState(replaces?.shared ?? false);
  const [problem, setProblem] = useState<string>();
  const { form, refuse } = useRefusal();
  const busy = create.isPending || change.isPending;
  const overtakenBy = useNewer(replaces, change.error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed === '') {
      setProblem(t('Name the search.'));
      return refuse();
    }
    const body = savedBody(search, trimmed, shared);
    const done = ({ id }: SavedSearch) => {
      showDone(t('Search saved'));
      onSaved(id);
    };
    if (replaces === undefined) create.mutate(body, { onSuccess: done });
    else
      change.mutate(
        { id: replaces.id, body: { ...body, replaces: (overtakenBy ?? replaces).updated_at } },
        { onSuccess: done },
      );
  };
  return (
    <Dialog
      title={replaces === undefined ? t('Save this search') : t('Save over {name}', { name: replaces.name })}
      onClose={onClose}
    >
      <form ref={form} onSubmit={save} noValidate>
        <Stack gap="md">
          {overtakenBy === undefined ? (
            <ProblemNote error={create.error ?? change.error} />
          ) : (
            <Text size="sm" role="alert">
              {t(
                '“{name}” was changed in the meantime. Save again to write over it, or cancel and open it from the list.',
                { name: overtakenBy.name },
              )}
            </Text>
          )}
          <TextInput
            label={t('Name')}
            maxLength={NAME_MAX}
            value={name}
            error={problem}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setProblem(undefined);
            }}
            data-autofocus
          />
          <Checkbox
            label={t('Share with everybody in this tenant who may search')}
            checked={shared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Text size="xs" c="dimmed">
            {t('Sources, query, time range, filters that are on, order and columns are kept.')}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={busy}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {overtakenBy === undefined ? t('Save') : t('Save over the newer one')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What the server has by now, after a save was refused because somebody else was faster. */
function useNewer(replaced: SavedSearch | undefined, problem: unknown): SavedSearch | undefined {
  const { data = [] } = useQuery(searchQueries.saved(useTenantApi()));
  if (!isRefusedWith(problem, 'CONFLICT')) return undefined;
  const newest = data.find(({ id }) => id === replaced?.id);
  return newest?.updated_at === replaced?.updated_at ? undefined : newest;
}
