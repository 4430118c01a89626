import type { Case, CaseList } from '@airdeck/contracts/cases/schema';
import { type CaseStatus, caseStatuses } from '@airdeck/contracts/statuses';
import { canTransitionCase } from '@airdeck/domain/case-transitions';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type DragEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { SeverityBadge } from '../../components/status-badge.tsx';
import { caseStatusLooks } from '../../components/status-table.ts';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { type CaseListParams, caseQueries } from '../../queries/cases.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { LateSkeleton } from '../../ui/late-skeleton.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { acknowledgedCases } from './bulk-bar.tsx';
import { BulkDialog } from './bulk-dialogs.tsx';
import classes from './case-board.module.css';
import { DEFAULT_SORT } from './case-list-query.ts';
import { GroupValues } from './group-values.tsx';
import { useHeldRows } from './held-rows.ts';
import { HeldRowsButton } from './held-rows-button.tsx';
import { PersonOrNobody } from './person-or-nobody.tsx';
import { SlaClock } from './sla-clock.tsx';
import { type Bulk, type BulkDone, type BulkTarget, targetOf } from './use-bulk.ts';

type Props = {
  params: CaseListParams;
  /** Statuses to show; all when nothing is chosen. */
  statuses: readonly CaseStatus[] | undefined;
  bulk: Bulk;
};

type Move = { of: Case; to: CaseStatus };

/** One and the same, or each drawing would be another answer. */
const NOT_READ: Pick<CaseList, 'cases' | 'total'> = { cases: [], total: 0 };

const CARD = 'application/x-airdeck-case';

const done: Readonly<Record<CaseStatus, BulkDone>> = {
  open: (count) => plural(count, '{count} case opened again', '{count} cases opened again'),
  acknowledged: acknowledgedCases,
  closed: (count) => plural(count, '{count} case closed', '{count} cases closed'),
};

/** Cases by status. A card moves by dragging it, or by its own arrows: with Shift and the arrow keys, or by touch. */
export function CaseBoard({ params, statuses, bulk }: Props) {
  const { reason } = useAccess('airWork');
  const [closing, setClosing] = useState<BulkTarget>();
  const { board, follow, onPlace } = useFocusOnMoved(closing !== undefined);
  const move = ({ of, to }: Move) => {
    if (reason !== undefined || !canTransitionCase(of.alert_status, to)) return;
    follow(of.id);
    if (to === 'closed') return setClosing(targetOf([of]));
    void bulk.run(targetOf([of]), { change: { alert_status: to } }, done[to]).then((left) => {
      if (left !== undefined) follow(undefined);
    });
  };
  const shown = caseStatuses.filter((status) => statuses === undefined || statuses.includes(status));
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever goes to another card is not fetched back */}
      <div ref={board} className={classes.board} onFocus={() => follow(undefined)}>
        {shown.map((status) => (
          <Column
            key={status}
            status={status}
            params={params}
            onMove={move}
            onPlace={onPlace}
            mayMove={reason === undefined}
          />
        ))}
      </div>
      {closing === undefined ? null : (
        <BulkDialog
          name="close"
          count={1}
          bulk={bulk}
          run={async (work, told) => {
            const left = await bulk.run(closing, work, told, 'dialog');
            if (left !== undefined) setClosing((now) => now && left);
            return left === undefined;
          }}
          onClose={() => setClosing(undefined)}
        />
      )}
    </>
  );
}

/**
 * The focus follows the card that was moved: in its new column it is another element. Its columns load one after the
 * other, and a dialog may stand over them; whenever the focus is nowhere, it goes to where the card is by then.
 */
function useFocusOnMoved(isAsking: boolean) {
  const board = useRef<HTMLDivElement>(null);
  const moved = useRef<string>(undefined);
  const onPlace = useCallback(() => {
    if (moved.current === undefined || document.activeElement !== document.body) return;
    board.current?.querySelector<HTMLElement>(`[data-card="${moved.current}"] a`)?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (!isAsking) onPlace();
  }, [isAsking, onPlace]);
  const follow = (id: string | undefined) => {
    moved.current = id;
  };
  return { board, follow, onPlace };
}

type ColumnProps = {
  status: CaseStatus;
  params: CaseListParams;
  onMove: (move: Move) => void;
  /** A card came or went. */
  onPlace: () => void;
  mayMove: boolean;
};

function Column({ status, params, onMove, onPlace, mayMove }: ColumnProps) {
  const [isOver, setIsOver] = useState(false);
  const tenantApi = useTenantApi();
  const cases = useQuery({
    ...caseQueries.list(tenantApi, { ...params, status, page: 1 }),
    placeholderData: keepPreviousData,
  });
  const { cases: fresh, total } = cases.data ?? NOT_READ;
  const held = useHeldRows<Case>(
    { fresh, total, answeredAt: cases.dataUpdatedAt },
    {
      key: `${JSON.stringify(params)}${cases.isPlaceholderData ? ' before' : ''}`,
      newestFirst: params.sort === DEFAULT_SORT,
    },
  );
  const { icon: Icon, color, word } = caseStatusLooks[status];
  const accept = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(CARD)) return;
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    setIsOver(false);
    const of = draggedCase(event);
    if (of === undefined) return;
    event.preventDefault();
    onMove({ of, to: status });
  };
  return (
    <section
      className={classes.column}
      aria-label={word}
      data-over={isOver || undefined}
      onDragOver={accept}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <h2 className={classes.head}>
        <Icon size={16} color={color} aria-hidden />
        {word}
        <span className={classes.total}>{cases.data?.total ?? ''}</span>
      </h2>
      <HeldRowsButton held={held} />
      {cases.isError && cases.data === undefined ? (
        <ErrorState error={cases.error} onRetry={() => void cases.refetch()} retrying={cases.isFetching} />
      ) : cases.data === undefined ? (
        <LateSkeleton height={88} radius={8} />
      ) : held.rows.length === 0 ? (
        <p className={classes.none}>{t('No case')}</p>
      ) : (
        <ul className={classes.cards}>
          {held.rows.map((of) => (
            <Card
              key={of.id}
              of={of}
              isGone={held.gone.has(of.id)}
              onMove={onMove}
              onPlace={onPlace}
              mayMove={mayMove}
            />
          ))}
        </ul>
      )}
      {cases.data !== undefined && cases.data.total > held.rows.length ? (
        <p className={classes.none}>{t('The list has all {count}.', { count: cases.data.total })}</p>
      ) : null}
    </section>
  );
}

type CardProps = { of: Case; isGone: boolean } & Pick<ColumnProps, 'onMove' | 'onPlace' | 'mayMove'>;

function Card({ of, isGone, onMove, onPlace, mayMove }: CardProps) {
  useEffect(() => {
    onPlace();
    return onPlace;
  }, [onPlace]);
  const place = caseStatuses.indexOf(of.alert_status);
  const sides = [
    { to: caseStatuses[place - 1], key: 'ArrowLeft', sign: '←' },
    { to: caseStatuses[place + 1], key: 'ArrowRight', sign: '→' },
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    const side = event.shiftKey ? sides.find(({ key }) => key === event.key) : undefined;
    if (side?.to === undefined) return;
    event.preventDefault();
    onMove({ of, to: side.to });
  };
  return (
    <li
      className={classes.card}
      data-card={of.id}
      data-faded={isGone || undefined}
      title={isGone ? t('Not in this list any more') : undefined}
      draggable={mayMove}
      onDragStart={(event) => {
        event.dataTransfer.setData(CARD, JSON.stringify(of));
        event.dataTransfer.effectAllowed = 'move';
      }}
      onKeyDown={mayMove ? onKeyDown : undefined}
    >
      <div className={classes.top}>
        <SeverityBadge severity={of.alert_severity} variant="plain" />
        <SlaClock of={of} />
      </div>
      <Link to="/air/case-management/$id" params={{ id: of.id }} className={classes.name}>
        <span className={classes.reference}>{of.reference}</span> {of.alert_name}
      </Link>
      <GroupValues values={of.meta_data_fields} />
      <div className={classes.bottom}>
        <PersonOrNobody username={of.assignee} nobody={t('Unassigned')} />
        <RelativeTime time={of.time_opened} />
        {mayMove ? (
          <span className={classes.moves}>
            {sides.map(({ to, sign, key }) =>
              to !== undefined && canTransitionCase(of.alert_status, to) ? (
                <button
                  key={key}
                  type="button"
                  aria-label={t('Move {reference} to {status}', {
                    reference: of.reference,
                    status: caseStatusLooks[to].word,
                  })}
                  onClick={() => onMove({ of, to })}
                >
                  {sign}
                </button>
              ) : null,
            )}
          </span>
        ) : null}
      </div>
    </li>
  );
}

/** Only what a board of ours put there: id and status are looked at by the server anyway. */
function draggedCase(event: DragEvent): Case | undefined {
  const text = event.dataTransfer.getData(CARD);
  return text === '' ? undefined : (JSON.parse(text) as Case);
}
