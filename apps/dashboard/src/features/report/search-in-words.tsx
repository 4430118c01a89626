import type { SearchReport } from '@airdeck/contracts/reports/schema';
import type { SearchCriteria, SearchFilter } from '@airdeck/contracts/search/schema';
import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { dateFormat, useReader } from '../../ui/reader.ts';
import classes from './report.module.css';

type Props = { criteria: SearchCriteria; range?: SearchReport['time_range'] };

/** What a report searches for: query, sources, filters and time, with the way back to the search. */
export function SearchInWords({ criteria, range }: Props) {
  const reader = useReader();
  const format = dateFormat(reader, { dateStyle: 'medium', timeStyle: 'medium' });
  const { query, integrations, filters, connector_id: connectorId } = criteria;
  return (
    <section>
      <h3 className={classes.sectionTitle}>Search</h3>
      <pre className={classes.code}>{query === '' ? 'Everything' : query}</pre>
      <ul className={classes.parts}>
        {integrations.map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
        {filters.map((filter) => (
          <li key={JSON.stringify(filter)}>{filterWords(filter)}</li>
        ))}
        {connectorId === undefined ? null : <li>one connector only</li>}
      </ul>
      {range === undefined ? null : (
        <>
          <p className={classes.range}>
            {format.format(new Date(range.start))} to {format.format(new Date(range.end))}
          </p>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconSearch size={14} aria-hidden />}
            renderRoot={(props) => <Link to="/search" search={addressOf(criteria, range)} {...props} />}
          >
            Open in search
          </Button>
        </>
      )}
    </section>
  );
}

const operatorWords: Readonly<Record<SearchFilter['op'], string>> = {
  is: 'is',
  is_not: 'is not',
  one_of: 'is one of',
  not_one_of: 'is none of',
  exists: 'is there',
  not_exists: 'is not there',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'begins with',
  ends_with: 'ends with',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
};

function filterWords({ field, op, value }: SearchFilter): string {
  const named = value === undefined ? '' : ` ${Array.isArray(value) ? value.join(', ') : String(value)}`;
  return `${field} ${operatorWords[op]}${named}`;
}

function addressOf(
  { query, integrations, filters, connector_id }: SearchCriteria,
  timeRange: SearchReport['time_range'],
) {
  return {
    ...(integrations.length === 0 ? {} : { integrations }),
    ...(connector_id === undefined ? {} : { connector_id }),
    ...(query === '' ? {} : { query }),
    ...(filters.length === 0 ? {} : { filters: filters.map(urlFilter) }),
    timeRange,
  };
}

/** Values as the address of the search has them. */
function urlFilter({ field, op, value }: SearchFilter) {
  if (value === undefined) return { field, op };
  return { field, op, value: Array.isArray(value) ? value.map(String) : String(value) };
}
