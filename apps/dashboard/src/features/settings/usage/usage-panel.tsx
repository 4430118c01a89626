import type { Usage } from '@airdeck/contracts/telemetry/schema';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Sparkline } from '../../../components/widgets/sparkline.tsx';
import { t } from '../../../language/translate.ts';
import { telemetryQueries } from '../../../queries/telemetry.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Count } from '../../../ui/count.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SettingsBlock } from '../settings-block.tsx';
import { DaysSelect, DEFAULT_DAYS, type UsageDays } from './days-select.tsx';
import { EventUsagePanel } from './event-usage.tsx';
import classes from './usage.module.css';
import { errorColumns, routeColumns } from './usage-columns.tsx';

/** What a tenant sends, how its people use the dashboard, and what failed in it for them. */
export function UsagePanel() {
  const [days, setDays] = useState<UsageDays>(DEFAULT_DAYS);
  const usage = useQuery(telemetryQueries.usage(useTenantApi(), days));
  const choose = <DaysSelect label={t('Days')} days={days} onChange={setDays} />;
  return (
    <div className={classes.parts}>
      <EventUsagePanel />
      <SettingsBlock title={t('Use of the dashboard')} query={usage} aside={choose} lines={4}>
        {(found) =>
          found.own_sink ? (
            <Figures usage={found} />
          ) : (
            <EmptyState title={t('Kept elsewhere')}>
              {t('Page views and errors go to the service that the operator of this installation configured.')}
            </EmptyState>
          )
        }
      </SettingsBlock>
      {usage.data?.own_sink === true ? <Tables usage={usage.data} /> : null}
    </div>
  );
}

function Figures({ usage: { days } }: { usage: Usage }) {
  const views = days.reduce((sum, day) => sum + day.views, 0);
  const busiest = Math.max(0, ...days.map(({ people }) => people));
  return (
    <>
      <dl className={classes.figures}>
        <div>
          <dt>{t('Pages opened')}</dt>
          <dd>
            <Count value={views} />
          </dd>
        </div>
        <div>
          <dt>{t('People on the busiest day')}</dt>
          <dd>
            <Count value={busiest} />
          </dd>
        </div>
        <div className={classes.course}>
          <dt>{t('Pages by day (UTC)')}</dt>
          <dd>
            <Sparkline values={days.map((day) => day.views)} color="var(--air-accent)" />
          </dd>
        </div>
      </dl>
      <p className={classes.note}>
        {t(
          'Counted by screen, never by address or content; texts of errors are freed of names, ids and codes. Kept for 90 days on this server.',
        )}
      </p>
    </>
  );
}

function Tables({ usage: { routes, errors } }: { usage: Usage }) {
  return (
    <>
      <section>
        <h2 className={classes.title}>{t('Screens')}</h2>
        <DataTable
          label={t('Screens')}
          columns={routeColumns}
          rows={routes}
          rowId={({ route }) => route}
          empty={
            <EmptyState title={t('Nothing yet')}>
              {t('Screens that people open are counted here, by the day.')}
            </EmptyState>
          }
        />
      </section>
      <section>
        <h2 className={classes.title}>{t('Errors in the browser')}</h2>
        <DataTable
          label={t('Errors in the browser')}
          columns={errorColumns}
          rows={errors}
          rowId={({ fingerprint }) => fingerprint}
          empty={
            <EmptyState title={t('No error')}>{t('Nothing failed in anybody’s browser in these days.')}</EmptyState>
          }
        />
      </section>
    </>
  );
}
