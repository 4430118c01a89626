import { limits } from '@airdeck/contracts/limits';
import { type Period, periods } from '@airdeck/domain/period';
import { isDay } from '../../lib/days.ts';
import { checkedSearch, choiceParam, filterParam, filtersOf, textParam } from '../../lib/search-params.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';

const GRAYLOG_ID_MAX = 100;
const TITLE_MAX = 500;

const priorities = ['1', '2', '3'] as const;
/** Whether Graylog evaluates a definition. */
export const definitionStates = ['enabled', 'disabled'] as const;

/**
 * `q` (spec §2), and what is shown of the time: `period`, with `from` and `to` for days of one's own; the priority, and the
 * alert in the drawer.
 */
export function triggeredAlertsSearch(search: Record<string, unknown>) {
  const from = dayParam(search, 'from');
  const to = dayParam(search, 'to');
  const isRange = from !== undefined && to !== undefined && from <= to;
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    priority: choiceParam(search, 'priority', priorities),
    period: choiceParam(search, 'period', periods),
    from: isRange ? from : undefined,
    to: isRange ? to : undefined,
    alert: textParam(search, 'alert', GRAYLOG_ID_MAX),
  });
}

export type TriggeredAlertsSearch = ReturnType<typeof triggeredAlertsSearch>;

function dayParam(search: Record<string, unknown>, name: string): string | undefined {
  const day = textParam(search, name, 10);
  return isDay(day) ? day : undefined;
}

export function spanOfSearch({ period, from, to }: TriggeredAlertsSearch): DashboardSpan {
  if (from !== undefined && to !== undefined) return { period: 'CUSTOM', range: { from, to } };
  return { period: period === undefined || period === 'CUSTOM' ? 'LAST_7_DAYS' : period };
}

/** The parts of the search that say a span; the default one is left out. */
export function searchOfSpan(span: DashboardSpan): {
  period: Period | undefined;
  from: string | undefined;
  to: string | undefined;
} {
  if (span.period === 'CUSTOM') return { period: undefined, ...span.range };
  return { period: span.period === 'LAST_7_DAYS' ? undefined : span.period, from: undefined, to: undefined };
}

/** `action` is the definition in the drawer, as in the catalogue of actions it is the action. */
export function definitionsSearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', TITLE_MAX),
    action: textParam(search, 'action', GRAYLOG_ID_MAX),
    filters: filtersOf({
      priority: filterParam(search, 'priority', priorities),
      state: filterParam(search, 'state', definitionStates),
    }),
  });
}

export type DefinitionsSearch = ReturnType<typeof definitionsSearch>;

export function rulesSearch(search: Record<string, unknown>) {
  return checkedSearch({ q: textParam(search, 'q', limits.searchTextMax) });
}

/** What a new automation starts filled in with (spec §2): its event definition, and the playbook or action it starts. */
export function newRuleSearch(search: Record<string, unknown>) {
  return checkedSearch({
    event_id: textParam(search, 'event_id', GRAYLOG_ID_MAX),
    playbook_title: textParam(search, 'playbook_title', TITLE_MAX),
    action_name: textParam(search, 'action_name', 200),
  });
}

export type NewRuleSearch = ReturnType<typeof newRuleSearch>;
