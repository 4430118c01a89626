import { limits } from '@airdeck/contracts/limits';
import type { Policy } from '@airdeck/contracts/policies/schema';
import { TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SeverityBadge } from '../../components/status-badge.tsx';
import choices from '../../components/value-actions/choice-list.module.css';
import { shortValue } from '../../components/value-actions/short-value.ts';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { policyQueries } from '../../queries/policies.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import classes from './policy-choice.module.css';

/** What is not among them is searched for. */
const SHOWN = 50;

type Seen = {
  field: string;
  value: string;
  /** Integration and event type, as the address of the editor has them. */
  source: string;
};
type Props = Seen & { onClose: () => void };

/** The policies of this tenant; one leads to its form, where the value is one more condition, not saved yet. */
export function PolicyChoiceDialog({ onClose, ...seen }: Props) {
  const { field, value } = seen;
  const named = shortValue(value);
  return (
    <Dialog title={t('Add {field} is {named} to a policy', { field, named })} onClose={onClose} closeLabel={t('Close')}>
      <Policies {...seen} />
    </Dialog>
  );
}

function Policies(seen: Seen) {
  const [typed, setTyped] = useState('');
  return (
    <>
      <TextInput
        mb="xs"
        data-autofocus
        aria-label={t('Search policies')}
        placeholder={t('Search policies')}
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={limits.searchTextMax}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Found q={typed.trim()} seen={seen} />
    </>
  );
}

function Found({ q, seen }: { q: string; seen: Seen }) {
  const list = useQuery({
    ...policyQueries.list(useTenantApi(), { page_size: SHOWN, ...(q === '' ? {} : { q }) }),
    placeholderData: keepPreviousData,
  });
  if (list.isError && list.data === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />;
  if (list.data === undefined) {
    return (
      <Loading label={t('Loading policies')}>
        <TextSkeleton lines={6} />
      </Loading>
    );
  }
  const { rules, total } = list.data;
  if (total === 0 && q === '' && !list.isPlaceholderData)
    return (
      <EmptyState title={t('No policies yet')}>{t('Close this and make a new policy with the value.')}</EmptyState>
    );
  return (
    <>
      <ul
        className={`${choices.list} ${classes.scroll}`}
        aria-label={t('Policies')}
        data-dimmed={list.isPlaceholderData || undefined}
      >
        {rules.map((policy) => (
          <Choice key={policy.id} policy={policy} seen={seen} />
        ))}
      </ul>
      <p className={choices.note} role="status">
        {noteOf({ shown: rules.length, total })}
      </p>
    </>
  );
}

function noteOf({ shown, total }: { shown: number; total: number }): string {
  if (shown === 0) return t('No policy fits.');
  if (total === shown)
    return t('It opens with the new condition in its form. Nothing is saved before you save it there.');
  return plural(
    total - shown,
    '{count} more policy: search for it by name.',
    '{count} more policies: search for one by name.',
  );
}

function Choice({ policy, seen: { field, value, source } }: { policy: Policy; seen: Seen }) {
  const { id, enabled, published, rule } = policy;
  const about = [enabled ? t('On') : t('Off'), ...(published === null ? [] : [t('From your provider')])];
  return (
    <li>
      <Link
        to="/air/policy-management/$id/edit"
        params={{ id }}
        search={{ criterion: { field, value }, source }}
        className={choices.choice ?? ''}
        title={rule.name}
      >
        <span className={choices.name}>{rule.name}</span>
        <span className={choices.about}>{about.join(' · ')}</span>
        <SeverityBadge severity={rule.severity} />
        <IconChevronRight size={16} className={choices.chevron} aria-hidden />
      </Link>
    </li>
  );
}
