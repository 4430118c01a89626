import type { SearchReport } from '@airdeck/contracts/reports/schema';
import type { SearchCriteria } from '@airdeck/contracts/search/schema';
import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { filterText } from '../../components/event-criteria/filter-list.ts';
import { urlFilter } from '../../components/event-criteria/url-filter.ts';
import { t } from '../../language/translate.ts';
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
      <h3 className={classes.sectionTitle}>{t('Search')}</h3>
      <pre className={classes.code}>{query === '' ? t('Everything') : query}</pre>
      <ul className={classes.parts}>
        {integrations.map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
        {filters.map((filter) => (
          <li key={JSON.stringify(filter)}>{filterText(urlFilter(filter))}</li>
        ))}
        {connectorId === undefined ? null : <li>{t('one connector only')}</li>}
      </ul>
      {range === undefined ? null : (
        <>
          <p className={classes.range}>
            {t('{start} to {end}', {
              start: format.format(new Date(range.start)),
              end: format.format(new Date(range.end)),
            })}
          </p>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconSearch size={14} aria-hidden />}
            renderRoot={(props) => <Link to="/search" search={addressOf(criteria, range)} {...props} />}
          >
            {t('Open in search')}
          </Button>
        </>
      )}
    </section>
  );
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
