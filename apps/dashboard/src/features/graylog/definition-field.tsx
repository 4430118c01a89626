import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { graylogQueries } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import classes from './graylog.module.css';
import { PriorityBadge } from './priority-badge.tsx';

type Props = { value: string; problem: string | undefined; onChange: (id: string, title: string) => void };

/** Which event definition it answers: those that Graylog has now. */
export function DefinitionField({ value, problem, onChange }: Props) {
  const list = useQuery(graylogQueries.definitions(useTenantApi()));
  const definitions = list.data?.definitions ?? [];
  const chosen = definitions.find(({ id }) => id === value);
  const isGone = value !== '' && list.data !== undefined && chosen === undefined;
  if (list.isError && list.data === undefined) {
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />;
  }
  return (
    <>
      <Select
        id="rule-event_category_id"
        label={t('When this event definition raises an alert')}
        placeholder={list.isPending ? t('Asking Graylog…') : t('Search event definitions')}
        searchable
        required
        value={value === '' ? null : value}
        error={problem ?? (isGone ? t('Graylog has no such event definition any more.') : undefined)}
        data={definitions
          .map(({ id, title, enabled }) => ({
            value: id,
            label: enabled === false ? t('{title} · disabled', { title }) : title,
          }))
          .toSorted((one, other) => one.label.localeCompare(other.label))}
        nothingFoundMessage={t('No event definition fits.')}
        onChange={(next) => onChange(next ?? '', definitions.find(({ id }) => id === next)?.title ?? '')}
        maxDropdownHeight={280}
      />
      {chosen === undefined ? null : (
        <p className={classes.words}>
          <PriorityBadge priority={chosen.priority} /> {chosen.description}{' '}
          <Link className={classes.link} to="/graylog/event-definitions" search={{ action: chosen.id }}>
            {t('Open the definition')}
          </Link>
        </p>
      )}
    </>
  );
}
