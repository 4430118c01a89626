import { reportLimits } from '@airdeck/contracts/reports/report-limits';
import type { ReportCut, SearchReport } from '@airdeck/contracts/reports/schema';
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useCallIntent } from '../../components/action-run/use-call-intent.ts';
import { AskDialog } from '../../components/confirmation/ask-dialog.tsx';
import { Person } from '../../components/person.tsx';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { fileSize } from '../../lib/file-download.ts';
import { showDone } from '../../lib/toasts.ts';
import { isUnfinished, searchReportMutations } from '../../queries/search-reports.ts';
import { useAccess } from '../../session/access.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { Count } from '../../ui/count.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { DownloadButton } from './download-button.tsx';
import classes from './report.module.css';
import { hasFile } from './report-columns.tsx';
import { formatWords } from './report-formats.ts';
import { ReportState } from './report-state.tsx';
import { SearchInWords } from './search-in-words.tsx';

const ScheduleDialog = lazy(() =>
  import('./schedule-dialog.tsx').then((module) => ({ default: module.ScheduleDialog })),
);

type Props = {
  report: SearchReport;
  opened: boolean;
  onClose: () => void;
  /** A new one was begun from this one. */
  onMade: (id: string) => void;
};

/** One report: what it holds, how it stands, and what can be done with it. */
export function ReportPanel({ report, opened, onClose, onMade }: Props) {
  const [asking, setAsking] = useState<'delete' | 'schedule'>();
  const answered = () => setAsking(undefined);
  return (
    <SidePanel opened={opened} onClose={onClose} title={report.name}>
      <div className={classes.sections}>
        <Actions report={report} onMade={onMade} onAsk={setAsking} />
        <ReportState of={report} />
        {report.cut_by === null ? null : (
          <p className={classes.note} role="note">
            {cutWords[report.cut_by]()}
          </p>
        )}
        <Facts report={report} />
        <SearchInWords criteria={report.search} range={report.time_range} />
      </div>
      {asking === 'delete' ? <DeleteReport report={report} onClose={answered} onDeleted={onClose} /> : null}
      {asking === 'schedule' ? (
        <Suspense fallback={null}>
          <ScheduleDialog like={report} onClose={answered} />
        </Suspense>
      ) : null}
    </SidePanel>
  );
}

const cutWords: Readonly<Record<ReportCut, () => ReactNode>> = {
  rows: () =>
    tx(
      'The file reached {count} events, so older events were left out. Narrow the search down or take a shorter time.',
      { count: <Count value={reportLimits.rowsMax} /> },
    ),
  bytes: () =>
    t('The file reached {size}, so older events were left out. Narrow the search down or take a shorter time.', {
      size: fileSize(reportLimits.bytesMax),
    }),
  plan: () => t('The plan reaches less far back than this time, so older events were left out.'),
};

type ActionsProps = Pick<Props, 'report' | 'onMade'> & { onAsk: (what: 'delete' | 'schedule') => void };

function Actions({ report, onMade, onAsk }: ActionsProps) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const cancel = useMutation(searchReportMutations.cancel(tenantApi, queryClient));
  const again = useMutation(searchReportMutations.runAgain(tenantApi, queryClient, useCallIntent()));
  const file = hasFile(report) ? <DownloadButton report={report} /> : null;
  if (!useAccess('searchReportWork').allowed) return file;
  return (
    <Group gap="xs">
      {file}
      {isUnfinished(report) ? (
        <Button
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(report.id, { onSuccess: () => showDone(t('Report cancelled')) })}
        >
          {t('Cancel report')}
        </Button>
      ) : (
        <Button
          variant="default"
          loading={again.isPending}
          onClick={() => again.mutate(report.id, { onSuccess: ({ id }) => onMade(id) })}
        >
          {t('Run again')}
        </Button>
      )}
      <Button variant="default" aria-haspopup="dialog" onClick={() => onAsk('schedule')}>
        {t('Schedule')}
      </Button>
      <Button variant="default" className={classes.danger ?? ''} onClick={() => onAsk('delete')}>
        {t('Delete')}
      </Button>
    </Group>
  );
}

function Facts({ report }: { report: SearchReport }) {
  const isThere = hasFile(report);
  return (
    <KeyFacts
      facts={[
        { label: t('Events'), value: isThere ? <Count value={report.row_count} /> : '' },
        { label: t('Size'), value: isThere ? fileSize(report.size_bytes) : '' },
        { label: t('Format'), value: formatWords[report.format].label },
        { label: t('Made by'), value: <Person username={report.created_by} /> },
        { label: t('Begun'), value: <RelativeTime time={report.created_at} /> },
        {
          label: t('Ended##time'),
          value: report.finished_at === null ? '' : <RelativeTime time={report.finished_at} />,
        },
        { label: t('Kept until'), value: report.expires_at === null ? '' : <RelativeTime time={report.expires_at} /> },
        {
          label: t('Schedule##noun'),
          value:
            report.schedule_id === null ? (
              t('None, made by hand')
            ) : (
              <Link to="/report/air" search={{ panel: 'schedules' }}>
                {t('Made by a schedule')}
              </Link>
            ),
        },
      ]}
    />
  );
}

type DeleteProps = { report: SearchReport; onClose: () => void; onDeleted: () => void };

function DeleteReport({ report, onClose, onDeleted }: DeleteProps) {
  const { queryClient } = useApp();
  const remove = useMutation(searchReportMutations.delete(useTenantApi(), queryClient));
  return (
    <AskDialog
      title={t('Delete {name}?', { name: report.name })}
      text={
        hasFile(report)
          ? t('The report and its file are removed for everybody and cannot be brought back.')
          : t('The report is removed for everybody; one that is being made ends.')
      }
      actionLabel={t('Delete report')}
      busy={remove.isPending}
      problem={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(report.id, {
          onSuccess: () => {
            showDone(t('Report deleted'));
            onClose();
            onDeleted();
          },
        })
      }
    />
  );
}
