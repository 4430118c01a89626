import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { airOverviewQueries } from '../../queries/air-overview.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useReader, zoneNameOf } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { useNow } from '../../ui/use-now.ts';
import classes from './air-overview.module.css';
import { AutomationPanel } from './automation-panel.tsx';
import { BusiestPolicies } from './busiest-policies.tsx';
import { ConnectorHealth } from './connector-health.tsx';
import { FigureTiles } from './figure-tiles.tsx';
import { OpenCasesPanel } from './open-cases-panel.tsx';
import { RangeSelect } from './range-select.tsx';
import { rangeTimes } from './range-times.ts';
import { SlaPanel } from './sla-panel.tsx';
import { TechniqueMap } from './technique-map.tsx';
import { TrendPanel } from './trend-panel.tsx';

const route = getRouteApi('/_dashboard/air/overview');

/** Incident response at a glance: what stands now on top, how a period went below; every figure opens its cases. */
export function AirOverviewPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const timeZone = zoneNameOf(useReader());
  const range = rangeTimes(search, useNow(), timeZone);
  const overview = useQuery(airOverviewQueries.get(useTenantApi(), { ...range, timeZone }));
  return (
    <>
      <PageHeader
        title={t('Overview')}
        section={t('Incident response')}
        purpose={
          overview.data === undefined
            ? t('What is open, how fast it is dealt with, and what automation takes off your hands.')
            : tx('As of {time}', { time: <RelativeTime time={overview.data.as_of} /> })
        }
        actions={<RangeSelect search={search} onChange={(next) => void navigate({ search: next, replace: true })} />}
      />
      {overview.data !== undefined ? (
        <div className={classes.page} data-dimmed={overview.isPlaceholderData || undefined}>
          <Parts overview={overview.data} />
        </div>
      ) : overview.isError ? (
        <Panel>
          <ErrorState error={overview.error} onRetry={() => void overview.refetch()} retrying={overview.isFetching} />
        </Panel>
      ) : (
        <Loading label={t('Loading the overview')}>
          <TableSkeleton rows={12} />
        </Loading>
      )}
    </>
  );
}

function Parts({ overview }: { overview: AirOverview }) {
  return (
    <>
      <div className={classes.two}>
        <OpenCasesPanel overview={overview} />
        <SlaPanel overview={overview} />
      </div>
      <FigureTiles overview={overview} />
      <div className={classes.two}>
        <TrendPanel overview={overview} />
        <AutomationPanel overview={overview} />
      </div>
      <div className={classes.two}>
        <BusiestPolicies overview={overview} />
        <ConnectorHealth overview={overview} />
      </div>
      <TechniqueMap overview={overview} />
    </>
  );
}
