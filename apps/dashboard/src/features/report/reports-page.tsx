import { Button, Group } from '@mantine/core';
import { IconCalendarPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { searchReportQueries } from '../../queries/search-reports.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PanelTabs } from '../../ui/panel-tabs.tsx';
import { ReportArea } from './report-area.tsx';
import { ReportList } from './report-list.tsx';
import { type ReportPanel, type ReportsSearch, reportPanels } from './reports-search.ts';
import { ScheduleList } from './schedule-list.tsx';

const route = getRouteApi('/_dashboard/report/air');

const labels: Readonly<Record<ReportPanel, string>> = { reports: t('Reports'), schedules: t('Schedules') };

/** Files of searches: those that are there or being made, and those that are made by themselves. */
export function ReportsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWork = useAccess('searchReportWork').allowed;
  const panel = search.panel ?? 'reports';
  const tenantApi = useTenantApi();
  const reports = useInfiniteQuery({
    ...searchReportQueries.list(tenantApi),
    enabled: panel === 'reports',
    select: ({ pages }) => pages.every((page) => page.length === 0),
  });
  const schedules = useQuery({
    ...searchReportQueries.schedules(tenantApi),
    enabled: panel === 'schedules',
    select: (schedules) => schedules.length === 0,
  });
  const change = (part: Partial<ReportsSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...part }),
      replace: part.report === undefined,
      resetScroll: false,
    });

  return (
    <>
      <PageHeader
        title={t('Search reports')}
        purpose={t('Events of a search as a file, for a spreadsheet, another tool, or people who read along.')}
        actions={
          mayWork ? (
            <Group gap="xs">
              {/* Where there is nothing, what teaches that has the button; until that is known there is none to take away. */}
              {panel === 'schedules' && (schedules.isPending || schedules.data) ? null : (
                <Button
                  variant="default"
                  renderRoot={(props) => (
                    <Link to="/report/air" search={{ panel: 'schedules', schedule: 'new' }} {...props} />
                  )}
                  leftSection={<IconCalendarPlus size={16} aria-hidden />}
                >
                  {t('New schedule')}
                </Button>
              )}
              {panel === 'reports' && (reports.isPending || reports.data) ? null : (
                <Button component={Link} to="/search" leftSection={<IconSearch size={16} aria-hidden />}>
                  {t('Search and export')}
                </Button>
              )}
            </Group>
          ) : undefined
        }
      />
      <ReportArea current="search">
        <PanelTabs
          label={t('Parts of the search reports')}
          menuLabel={t('Part of the search reports')}
          panels={reportPanels}
          labels={labels}
          current={panel}
          link={(each, props) => <Link to="/report/air" search={{ panel: each }} {...props} />}
          onChoose={(each) => void navigate({ search: { panel: each } })}
        />
        {panel === 'reports' ? (
          <ReportList openId={search.report} onOpen={(report) => change({ report })} />
        ) : (
          <ScheduleList editing={search.schedule} onEdit={(schedule) => change({ schedule })} />
        )}
      </ReportArea>
    </>
  );
}
