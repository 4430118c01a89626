import type { ExecutiveReport } from '@airdeck/contracts/reports/executive-report';
import { ActionIcon, Group } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { t } from '../../../language/translate.ts';
import { downloadAddress } from '../../../lib/file-download.ts';
import { showDone } from '../../../lib/toasts.ts';
import { executiveReportMutations, isBeingMade } from '../../../queries/executive-reports.ts';
import { useAccess } from '../../../session/access.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { Tip } from '../../../ui/tip.tsx';

/** Download, and for Admins delete. */
export function ExecutiveTools({ report }: { report: ExecutiveReport }) {
  const { config, queryClient } = useApp();
  const tenantApi = useTenantApi();
  const settles = useAccess('executiveReportSettings');
  const [deleting, setDeleting] = useState(false);
  const link = useMutation(executiveReportMutations.link(tenantApi));
  const remove = useMutation(executiveReportMutations.delete(tenantApi, queryClient));
  const download = () =>
    link.mutate(report.id, {
      // The server sends it as an attachment, so this page stays.
      onSuccess: ({ download_link }) =>
        window.location.assign(downloadAddress(download_link, config.api_base_url, window.location.href)),
    });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {report.status === 'success' ? (
        <Tip label={t('Download')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Download {name}', { name: report.name })}
            loading={link.isPending}
            onClick={download}
          >
            <IconDownload size={16} aria-hidden />
          </ActionIcon>
        </Tip>
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
