import type { SearchFields } from '@airdeck/contracts/search/schema';
import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { OneStepLater } from '../../ui/one-step-later.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { AnswerNotes } from './answer-notes.tsx';
import type { EventSearch, EventSearchChange } from './event-search.ts';
import { FieldSidebar } from './field-sidebar.tsx';
import { Histogram } from './histogram.tsx';
import { histogramBars } from './histogram-bars.ts';
import { LiveBar } from './live-bar.tsx';
import { NothingFound } from './nothing-found.tsx';
import { problemIn } from './query-problem.ts';
import { ResultList } from './result-list.tsx';
import { ResultSummary } from './result-summary.tsx';
import { useSearchActions } from './search-actions.ts';
import classes from './search-page.module.css';
import type { Window } from './time-range.ts';
import type { usePins } from './use-pins.ts';
import { MOST_LOADED, type useResults } from './use-results.ts';
import { useShownEvents } from './use-shown-events.ts';

const EventPanel = lazy(() => import('./event-panel.tsx').then((module) => ({ default: module.EventPanel })));

/** So close to the last event that is loaded, the panel has the next ones loaded. */
const NEAR_END_EVENTS = 20;
const HIDDEN_KEY = 'airdeck.search.fields';

type Results = ReturnType<typeof useResults>;

type Props = {
  search: EventSearch;
  /** Undefined when the range of the address is none. */
  window: Window | undefined;
  /** False for a query with a problem, which the query bar shows. */
  isAskable: boolean;
  results: Results;
  pins: ReturnType<typeof usePins>;
  onChange: (part: EventSearchChange, replace?: boolean) => void;
  onRerun: (part: EventSearchChange) => void;
};

/** Fields on the left; when, how many and which events on the right. */
export function ResultsPane(props: Props) {
  const { window, isAskable, results } = props;
  const { run, fields, first } = results;
  const [fieldsOpened, setFieldsOpened] = useState(false);
  const [isHidden, setHidden] = useHiddenFields();
  // Beside the fields events would have less room than the fields.
  const isNarrow = useMediaQuery('(max-width: 1099.98px)', undefined, { getInitialValueInEffect: false }) === true;
  const sidebar = <Fields of={fields.data} query={fields} />;
  if (window === undefined) {
    return (
      <p className={classes.warning}>
        {t('This time range ends before it begins, or is no time range. Choose another.')}
      </p>
    );
  }
  if (!isAskable || problemIn(run.error) !== undefined) {
    return (
      <div className={classes.plain}>
        {first === undefined ? null : <Answer {...props} first={first} window={window} />}
      </div>
    );
  }
  return (
    <div className={classes.body} data-wide={isHidden || isNarrow || undefined}>
      {isHidden || isNarrow ? null : (
        <aside className={classes.fields} aria-label={t('Fields')}>
          <div className={classes.fieldsHead}>
            <h2>{t('Fields')}</h2>
            <ActionIcon
              size={24}
              aria-label={t('Hide fields')}
              title={t('Hide fields')}
              onClick={() => setHidden(true)}
            >
              <IconLayoutSidebarLeftCollapse size={16} />
            </ActionIcon>
          </div>
          {sidebar}
        </aside>
      )}
      <div className={classes.main}>
        {first !== undefined ? (
          <>
            {isHidden || isNarrow ? (
              <Button
                variant="default"
                size="compact-sm"
                className={classes.fieldsButton ?? ''}
                leftSection={<IconLayoutSidebarLeftExpand size={16} aria-hidden />}
                onClick={() => (isNarrow ? setFieldsOpened(true) : setHidden(false))}
              >
                {t('Fields')}
              </Button>
            ) : null}
            <OneStepLater meanwhile={<Searching />}>
              <Answer {...props} first={first} window={window} />
            </OneStepLater>
          </>
        ) : run.isError ? (
          <div className={classes.plain}>
            <ErrorState error={run.error} onRetry={() => void run.refetch()} retrying={run.isFetching} />
          </div>
        ) : (
          <Searching />
        )}
      </div>
      <SidePanel opened={fieldsOpened} onClose={() => setFieldsOpened(false)} title={t('Fields')}>
        {fieldsOpened ? sidebar : null}
      </SidePanel>
    </div>
  );
}

function Searching() {
  return (
    <Loading label={t('Searching')}>
      <TableSkeleton rows={14} />
    </Loading>
  );
}

/** Kept per browser: who needs the width for messages needs it every time. */
function useHiddenFields(): [boolean, (hidden: boolean) => void] {
  const { storage } = useApp();
  const [isHidden, setHidden] = useState(() => storage.getItem(HIDDEN_KEY) === 'hidden');
  return [
    isHidden,
    (hidden) => {
      storage.setItem(HIDDEN_KEY, hidden ? 'hidden' : 'shown');
      setHidden(hidden);
    },
  ];
}

function Fields({ of, query }: { of: SearchFields | undefined; query: Results['fields'] }) {
  const loading = (
    <Loading label={t('Loading fields')}>
      <TextSkeleton lines={12} />
    </Loading>
  );
  if (of !== undefined) {
    return (
      <OneStepLater meanwhile={loading}>
        <FieldSidebar of={of} />
      </OneStepLater>
    );
  }
  if (query.isError) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  }
  return loading;
}

type AnswerProps = Props & { first: NonNullable<Results['first']>; window: Window };

function Answer({ search, results, pins, first, onChange, onRerun }: AnswerProps) {
  const { run, events: found, sources, loadMore } = results;
  const { columns } = useSearchActions();
  // Of which answer somebody reads further down: another one is read from its top.
  const [scrolledIn, setScrolledIn] = useState<Results['first']>();
  const [paused, setPaused] = useState(false);
  const live = search.live === true;
  const reading = scrolledIn === first || search.event !== undefined;
  const shown = useShownEvents({ search, found, pinned: pins.events, held: paused || reading });
  const { events } = shown;
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer is read from its top
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [first]);
  useFocusBack(scroller, search.event !== undefined);
  // The panel stays while it closes, to slide out.
  const [panelId, setPanelId] = useState(search.event);
  if (search.event !== undefined && search.event !== panelId) setPanelId(search.event);
  const at = events.findIndex(({ id }) => id === panelId);
  const isNearEnd = search.event !== undefined && at >= events.length - NEAR_END_EVENTS;
  useEffect(() => {
    if (isNearEnd) loadMore();
  }, [isNearEnd, loadMore]);
  const openAt = (index: number) => {
    const id = events[index]?.id;
    return id === undefined ? undefined : () => onChange({ event: id }, true);
  };
  // Only after a failure: otherwise it is on its way.
  const nextPage = run.isFetchNextPageError ? () => void run.fetchNextPage() : undefined;
  const searched = { start: new Date(first.time_range.start), end: new Date(first.time_range.end) };
  const bars = histogramBars(first);
  const narrow = ({ start, end }: Window) =>
    onRerun({ timeRange: { start: start.toISOString(), end: end.toISOString() }, event: undefined });
  return (
    <>
      <AnswerNotes of={first} sources={sources} />
      {live ? (
        <LiveBar
          tail={shown.tail}
          paused={paused}
          reading={reading}
          onPause={setPaused}
          onShow={() => {
            setPaused(false);
            scroller.current?.scrollTo({ top: 0 });
            shown.release();
          }}
          onRestart={() => {
            setPaused(false);
            shown.restart();
            // What came in meanwhile is found by the search.
            onRerun({});
          }}
        />
      ) : null}
      {bars.length === 0 || first.total.relation === 'gte' || live ? null : (
        <Histogram
          bars={bars}
          widthMs={first.bucket_ms}
          searched={searched}
          total={first.total.value}
          onNarrow={narrow}
        />
      )}
      {events.length === 0 ? (
        <div className={classes.plain}>
          <NothingFound search={search} live={live} onRerun={onRerun} />
        </div>
      ) : (
        <ResultList
          events={events}
          columns={columns}
          total={live || first.total.relation === 'gte' ? -1 : first.total.value}
          openId={search.event}
          fresh={shown.tail.fresh}
          dimmed={run.isPlaceholderData}
          scroller={scroller}
          onOpen={(id) => onChange({ event: id }, false)}
          onNearEnd={loadMore}
          onAtTop={(atTop) => setScrolledIn(atTop ? undefined : first)}
          footer={
            <ResultSummary
              first={first}
              found={found}
              sources={sources}
              loading={run.isFetchingNextPage}
              full={found.length >= MOST_LOADED && run.hasNextPage}
              failed={run.isFetchNextPageError}
              pinned={pins.events.length}
              onUnpin={pins.clear}
              onRetry={() => void run.fetchNextPage()}
            />
          }
        />
      )}
      {panelId === undefined ? null : (
        <Suspense fallback={null}>
          <EventPanel
            id={panelId}
            listed={events[at]}
            opened={search.event !== undefined}
            onClose={() => onChange({ event: undefined }, false)}
            onAbove={at > 0 ? openAt(at - 1) : undefined}
            onBelow={at === -1 ? undefined : (openAt(at + 1) ?? nextPage)}
          />
        </Suspense>
      )}
    </>
  );
}
