import type { SearchFields } from '@airdeck/contracts/search/schema';
import type { QueryProblem } from '@airdeck/query-language/query-problem';
import { searchColumns } from '@airdeck/query-language/search-columns';
import { type RefObject, useMemo } from 'react';
import { SourcePicker } from '../../components/event-criteria/source-picker.tsx';
import { fieldValues } from '../../queries/search.ts';
import { useTenantApi } from '../../session/app-context.ts';
import type { EventSearch, EventSearchChange } from './event-search.ts';
import { QueryBar, type QueryBarHandle } from './query-bar.tsx';
import type { Offers } from './query-offers.ts';
import { RangePicker } from './range-picker.tsx';
import classes from './search-page.module.css';
import type { TimeRange } from './time-range.ts';

type Props = {
  search: EventSearch;
  range: TimeRange;
  now: Date;
  queryBar: RefObject<QueryBarHandle | null>;
  refused: QueryProblem | undefined;
  busy: boolean;
  /** Of what was found. */
  fields: SearchFields['fields'];
  onRerun: (part: EventSearchChange) => void;
};

/** Where, what, when. */
export function SearchToolbar({ search, range, now, queryBar, refused, busy, fields, onRerun }: Props) {
  const offers = useOffers(fields);
  return (
    <search className={classes.toolbar}>
      <SourcePicker
        integrations={search.integrations ?? []}
        connectorId={search.connector_id}
        onChange={(integrations) => onRerun({ integrations, event: undefined })}
        onConnector={(connector_id) => onRerun({ connector_id, event: undefined })}
      />
      <QueryBar
        ref={queryBar}
        query={search.query ?? ''}
        refused={refused}
        busy={busy}
        offers={offers}
        onRun={(query) => onRerun({ query: query === '' ? undefined : query, event: undefined })}
      />
      <RangePicker range={range} now={now} onChange={(timeRange) => onRerun({ timeRange, event: undefined })} />
    </search>
  );
}

/** Columns everybody has, and the fields of what was found; values are asked for while somebody types. */
function useOffers(found: SearchFields['fields']): Offers {
  const tenantApi = useTenantApi();
  return useMemo(() => {
    const counts = new Map(found.map(({ name, count }) => [name, count]));
    const names = new Set([...found.map(({ name }) => name), ...searchColumns.keys()]);
    return {
      fields: [...names].map((name) => ({ name, count: counts.get(name) })),
      // Completion is a help: when values cannot be had the person types them, and a search says what is wrong.
      values: (field, prefix, signal) =>
        fieldValues(tenantApi, { field, prefix: prefix.slice(0, 200) }, signal).then(
          ({ values }) => values,
          () => [],
        ),
    };
  }, [found, tenantApi]);
}
