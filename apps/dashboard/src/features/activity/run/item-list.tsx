import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { ActionStatus } from '@airdeck/contracts/statuses';
import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { FailureNote } from '../../../components/action-run/failure-note.tsx';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import { isActionActive, runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { InAndOut } from './in-and-out.tsx';
import { type Item, itemsToShow } from './items-to-show.ts';
import classes from './run.module.css';

type Props = { runId: string; actionUuid: string; items: NonNullable<ActionActivity['details']['items']> };

/** Rows drawn at a time; a list may have a thousand. */
const STEP = 25;

/** What became of each item an action ran for, the failed ones first; one opens to its input and output. */
export function ItemList({ runId, actionUuid, items }: Props) {
  const [openIndex, setOpenIndex] = useState<number>();
  const [shown, setShown] = useState(STEP);
  const ordered = itemsToShow(items);
  if (items.length === 0)
    return <p className={classes.words}>{t('The list was empty, so there was nothing to do.')}</p>;
  return (
    <section aria-label={t('Items of the list')}>
      <ul className={classes.items}>
        {ordered.slice(0, shown).map((item) => (
          <ItemRow
            key={item.index}
            runId={runId}
            actionUuid={actionUuid}
            item={item}
            isOpen={item.index === openIndex}
            onToggle={() => setOpenIndex(item.index === openIndex ? undefined : item.index)}
          />
        ))}
      </ul>
      {ordered.length > shown ? (
        <Button mt="xs" size="xs" variant="default" onClick={() => setShown(shown + STEP)}>
          {t('Show {min} more of {count}', { min: Math.min(STEP, ordered.length - shown), count: ordered.length })}
        </Button>
      ) : null}
    </section>
  );
}

type RowProps = Pick<Props, 'runId' | 'actionUuid'> & { item: Item; isOpen: boolean; onToggle: () => void };

function ItemRow({ runId, actionUuid, item, isOpen, onToggle }: RowProps) {
  const contentId = useId();
  return (
    <li className={classes.item}>
      <UnstyledButton
        className={classes.itemHead}
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        onClick={onToggle}
      >
        <IconChevronRight size={14} data-open={isOpen || undefined} className={classes.chevron} aria-hidden />
        <span className={classes.itemName}>{t('Item {value}', { value: item.index + 1 })}</span>
        <RunStatusBadge status={item.status} variant="plain" />
      </UnstyledButton>
      {isOpen ? (
        <div id={contentId} className={classes.itemBody}>
          <ItemResult runId={runId} actionUuid={actionUuid} index={item.index} status={item.status} />
        </div>
      ) : null}
    </li>
  );
}

type ResultProps = Pick<Props, 'runId' | 'actionUuid'> & { index: number; status: ActionStatus };

function ItemResult({ runId, actionUuid, index, status }: ResultProps) {
  const result = useQuery(runQueries.action(useTenantApi(), { runId, actionUuid, status, item: index }));
  if (result.data === undefined) {
    if (result.isError) {
      return <ErrorState error={result.error} onRetry={() => void result.refetch()} retrying={result.isFetching} />;
    }
    return (
      <Loading label={t('Loading item')}>
        <TextSkeleton lines={4} />
      </Loading>
    );
  }
  const { details } = result.data;
  return (
    <div className={classes.parts}>
      {details.error_info === null ? null : <FailureNote error={details.error_info} />}
      <InAndOut details={details} isOver={!isActionActive(result.data)} />
    </div>
  );
}
