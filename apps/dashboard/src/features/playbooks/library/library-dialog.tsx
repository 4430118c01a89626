import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { connectorQueries } from '../../../queries/connectors.ts';
import { integrationQueries } from '../../../queries/integrations.ts';
import { playbookMutations, playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './library.module.css';
import { ShippedItem } from './shipped-item.tsx';
import { matchingRows, type ShippedRow, shippedRows } from './shipped-rows.ts';

type Props = { onClose: () => void };

/** Playbooks the product ships, to be copied into this tenant. */
export function LibraryDialog({ onClose }: Props) {
  const tenantApi = useTenantApi();
  const library = useQuery(playbookQueries.library(tenantApi));
  // Both only for the labels: without them the list says less, and works.
  const { data: integrations } = useQuery(integrationQueries.list(tenantApi));
  const { data: connectors } = useQuery(connectorQueries.list(tenantApi));
  const add = useMutation(playbookMutations.addFromLibrary(tenantApi, useQueryClient()));
  return (
    <Dialog
      title={t('Playbooks from the library')}
      size={720}
      closeLabel={t('Close')}
      // Left while they are added, nobody would say how it ended.
      onClose={add.isPending ? () => undefined : onClose}
    >
      {library.data !== undefined ? (
        <Choice rows={shippedRows(library.data, { integrations, connectors })} add={add} onClose={onClose} />
      ) : library.isError ? (
        <ErrorState error={library.error} onRetry={() => void library.refetch()} retrying={library.isFetching} />
      ) : (
        <Loading label={t('Loading the library')}>
          <TextSkeleton lines={8} />
        </Loading>
      )}
    </Dialog>
  );
}

type ChoiceProps = Props & {
  rows: readonly ShippedRow[];
  add: UseMutationResult<unknown, Error, string[]>;
};

function Choice({ rows, add, onClose }: ChoiceProps) {
  const [q, setQ] = useState('');
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const shown = matchingRows(rows, q);
  // What somebody else added meanwhile is no longer chosen.
  const chosen = rows.filter(({ key, playbook_id }) => playbook_id === null && marked.has(key));
  const mark = (keys: readonly string[], on: boolean) =>
    setMarked((before) => new Set(on ? [...before, ...keys] : [...before].filter((key) => !keys.includes(key))));
  const submit = () =>
    add.mutate(
      chosen.map(({ key }) => key),
      {
        onSuccess: () => {
          const [first] = chosen;
          showDone(
            first !== undefined && chosen.length === 1
              ? t('{name} added', { name: first.name })
              : t('{count} playbooks added', { count: chosen.length }),
          );
          onClose();
        },
      },
    );
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        aria-label={t('Search the library')}
        placeholder={t('Search the library')}
        leftSection={<IconSearch size={16} aria-hidden />}
        data-autofocus
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
      />
      {shown.length === 0 ? (
        <p className={classes.faint} role="status">
          {rows.length === 0
            ? t('This release ships no playbooks.')
            : t('Nothing in the library fits “{text}”.', { text: q.trim() })}
        </p>
      ) : (
        <ul className={classes.list} aria-label={t('Library')}>
          {shown.map((row) => (
            <ShippedItem
              key={row.key}
              row={row}
              chosen={marked.has(row.key)}
              onChoose={(on) => mark([row.key], on)}
              onLeave={onClose}
            />
          ))}
        </ul>
      )}
      <ProblemNote error={add.error} />
      <div className={classes.foot}>
        <ChooseAll shown={shown} marked={marked} onMark={mark} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} disabled={add.isPending}>
            {t('Cancel')}
          </Button>
          <GuardedButton
            reason={chosen.length === 0 ? t('Choose a playbook first.') : undefined}
            loading={add.isPending}
            onClick={submit}
          >
            {addWords(chosen.length)}
          </GuardedButton>
        </div>
      </div>
    </Stack>
  );
}

function addWords(count: number): string {
  return count === 0 ? t('Add playbooks') : plural(count, 'Add {count} playbook', 'Add {count} playbooks');
}

type ChooseAllProps = {
  shown: readonly ShippedRow[];
  marked: ReadonlySet<string>;
  onMark: (keys: readonly string[], on: boolean) => void;
};

/** Of those the search shows and that are not there yet. */
function ChooseAll({ shown, marked, onMark }: ChooseAllProps) {
  const keys = shown.filter(({ playbook_id }) => playbook_id === null).map(({ key }) => key);
  const count = keys.filter((key) => marked.has(key)).length;
  if (keys.length === 0) return null;
  return (
    <Checkbox
      size="xs"
      label={plural(keys.length, 'Choose the one shown', 'Choose all {count} shown')}
      checked={count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      onChange={(event) => onMark(keys, event.currentTarget.checked)}
    />
  );
}
