import { TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { plainLetters } from '../../lib/plain-letters.ts';
import { defined } from '../../lib/search-params.ts';
import { actionQueries } from '../../queries/actions.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { productOf } from '../action-names.ts';
import { EffectBadge } from '../effect-badge.tsx';
import classes from './choice-list.module.css';
import { type FittingAction, fittingActions } from './fitting-actions.ts';
import { shortValue } from './short-value.ts';

type Props = {
  field: string;
  value: string;
  /** The case it is run for. */
  caseId?: string;
  onClose: () => void;
};

/** From this many on a search is offered; fewer are seen at a glance. */
const SEARCHED_FROM = 8;

/** Actions that take this value; one leads to its run form, with the value filled in. */
export function RunActionDialog({ field, value, caseId, onClose }: Props) {
  const named = shortValue(value);
  return (
    <Dialog title={t('Run an action on {named}', { named })} onClose={onClose} closeLabel={t('Close')}>
      <FittingActions field={field} value={value} caseId={caseId} />
    </Dialog>
  );
}

type FittingProps = { field: string; value: string; caseId: string | undefined };

function FittingActions({ field, value, caseId }: FittingProps) {
  const tenantApi = useTenantApi();
  const catalogue = useQuery(actionQueries.list(tenantApi));
  const connectors = useQuery(connectorQueries.list(tenantApi));
  const [wanted, setWanted] = useState('');
  if (catalogue.isError && catalogue.data === undefined) {
    return (
      <ErrorState error={catalogue.error} onRetry={() => void catalogue.refetch()} retrying={catalogue.isFetching} />
    );
  }
  if (catalogue.data === undefined || connectors.isPending) {
    return (
      <Loading label={t('Loading actions')}>
        <TextSkeleton lines={6} />
      </Loading>
    );
  }
  // Where the connectors are not known, nobody is kept from trying.
  const usable = connectors.data?.filter(({ enabled }) => enabled).map(({ definition_id }) => definition_id);
  const isConnected = ({ action }: FittingAction) =>
    !action.requires_connector || usable === undefined || usable.includes(action.definition_id);
  const fitting = fittingActions(catalogue.data, { field, value }).toSorted(
    (one, other) =>
      Number(isConnected(other)) - Number(isConnected(one)) ||
      productOf(one.action).localeCompare(productOf(other.action)) ||
      one.action.friendly_name.localeCompare(other.action.friendly_name),
  );
  const text = plainLetters(wanted.trim());
  const shown = fitting.filter((each) =>
    plainLetters(`${each.action.friendly_name} ${productOf(each.action)}`).includes(text),
  );
  if (fitting.length === 0) {
    return (
      <EmptyState title={t('No action takes this')}>
        {t('No integration has an action for a value like this one.')}
      </EmptyState>
    );
  }
  return (
    <>
      {fitting.length < SEARCHED_FROM ? null : (
        <TextInput
          mb="xs"
          data-autofocus
          aria-label={t('Find an action')}
          placeholder={t('Find an action')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <ul className={classes.list} aria-label={t('Actions')}>
        {shown.map((each) => (
          <Choice key={each.action.action_id} of={each} value={value} caseId={caseId} connected={isConnected(each)} />
        ))}
      </ul>
      {shown.length === 0 ? (
        <p className={classes.note}>{t('No action is called “{wanted}”.', { wanted: wanted.trim() })}</p>
      ) : null}
    </>
  );
}

type ChoiceProps = Omit<FittingProps, 'field'> & { of: FittingAction; connected: boolean };

function Choice({ of, value, caseId, connected }: ChoiceProps) {
  const { action, input } = of;
  return (
    <li>
      <Link
        to="/actions"
        search={defined({ action: action.action_id, input: { [input]: value }, case: caseId })}
        className={classes.choice ?? ''}
        title={action.description}
      >
        <span className={classes.name}>{action.friendly_name}</span>
        <span className={classes.about}>
          {productOf(action)}
          {connected ? null : t(' · no connector')}
        </span>
        <EffectBadge effect={action.effect} variant="plain" />
        <IconChevronRight size={16} className={classes.chevron} aria-hidden />
      </Link>
    </li>
  );
}
