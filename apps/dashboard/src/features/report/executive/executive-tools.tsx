import type { ExecutiveReport } from '@airdeck/contracts/reports/executive-report';
import { ActionIcon, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { executiveReportMutations, executiveReportQueries, isBeingMade } from '../../../queries/executive-reports.ts';
import { useAccess } from '../../../session/access.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { Tip } from '../../../ui/tip.tsx';
import { FileLinkButton } from '../file-link-button.tsx';
import { ExecutiveTables } from './executive-tables.tsx';

/** Download, whole or table by table, and for Admins delete. */
export function ExecutiveTools({ report }: { report: ExecutiveReport }) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const settles = useAccess('executiveReportSettings');
  const [deleting, setDeleting] = useState(false);
  const remove = useMutation(executiveReportMutations.delete(tenantApi, queryClient));
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {report.status === 'success' ? (
        <>
          <FileLinkButton name={report.name} link={executiveReportQueries.link(tenantApi, report.id)} compact />
          <ExecutiveTables report={report} />
        </>
      ) : null}
      {settles.allowed && !isBeingMade(report) ? (
        <Tip label={t('Delete')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Delete {name}…', { name: report.name })}
            onClick={() => setDeleting(true)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tip>
      ) : null}
      {deleting ? (
        <AskDialog
          title={t('Delete {name}?', { name: report.name })}
          text={t(
            'The file is gone for everybody, also behind links that were mailed. The report of the month can be made again.',
          )}
          actionLabel={t('Delete report')}
          busy={remove.isPending}
          problem={remove.error}
          onClose={() => setDeleting(false)}
          onConfirm={() =>
            remove.mutate(report.id, {
              onSuccess: () => {
                showDone(t('Report deleted'));
                setDeleting(false);
              },
            })
          }
        />
      ) : null}
    </Group>
  );
}
