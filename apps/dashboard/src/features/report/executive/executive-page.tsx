import { Button, Group } from '@mantine/core';
import { IconCalendarCog, IconFilePlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { t } from '../../../language/translate.ts';
import { executiveReportQueries } from '../../../queries/executive-reports.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { ReportArea } from '../report-area.tsx';
import { ExecutiveList } from './executive-list.tsx';
import { MakeReportDialog } from './make-report-dialog.tsx';
import { ReportSettingsDialog } from './report-settings-dialog.tsx';

const route = getRouteApi('/_dashboard/mdr/executive-reports');

/** Reports for people who do not sign in every day: a month on a few pages. */
export function ExecutivePage() {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const makes = useAccess('executiveReports');
  const settles = useAccess('executiveReportSettings');
  const { data: isEmpty, isPending } = useInfiniteQuery({
    ...executiveReportQueries.list(useTenantApi()),
    // The list asks again by itself.
    refetchInterval: false,
    select: ({ pages }) => pages.every(({ files }) => files.length === 0),
  });
  const show = (next: typeof open) =>
    void navigate({ search: { open: next }, replace: next === undefined, resetScroll: false });
  const make = (
    <GuardedButton
      reason={makes.reason}
      leftSection={<IconFilePlus size={16} aria-hidden />}
      onClick={() => show('new')}
    >
      {t('Make a report')}
    </GuardedButton>
  );
  return (
    <>
      <PageHeader
        title={t('Executive reports')}
        section={t('Reports')}
        purpose={t(
          'A month on a few pages: cases, response times, automation, coverage and what to do next, as a PDF.',
        )}
        actions={
          <Group gap="xs">
            {settles.allowed ? (
              <Button
                variant="default"
                leftSection={<IconCalendarCog size={16} aria-hidden />}
                onClick={() => show('settings')}
              >
                {t('Each month…')}
              </Button>
            ) : null}
            {/* Where there is nothing, what teaches that has the button; until that is known there is none to take away. */}
            {isPending || isEmpty ? null : make}
          </Group>
        }
      />
      <ReportArea current="executive">
        <ExecutiveList action={make} />
      </ReportArea>
      {open === 'new' && makes.allowed ? <MakeReportDialog onClose={() => show(undefined)} /> : null}
      {open === 'settings' && settles.allowed ? <ReportSettingsDialog onClose={() => show(undefined)} /> : null}
    </>
  );
}
