import type { SearchReport } from '@airdeck/contracts/reports/schema';
import { ActionIcon, Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { t } from '../../language/translate.ts';
import { downloadAddress } from '../../lib/file-download.ts';
import { searchReportMutations } from '../../queries/search-reports.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { Tip } from '../../ui/tip.tsx';

type Props = { report: Pick<SearchReport, 'id' | 'name'>; compact?: boolean };

/** Asks for a link, which is good for two minutes, and follows it at once. */
export function DownloadButton({ report, compact = false }: Props) {
  const { config } = useApp();
  const link = useMutation(searchReportMutations.link(useTenantApi()));
  const open = () =>
    link.mutate(report.id, {
      // The server sends it as an attachment, so this page stays.
      onSuccess: ({ download_link }) =>
        window.location.assign(downloadAddress(download_link, config.api_base_url, window.location.href)),
    });
  if (!compact) {
    return (
      <Button leftSection={<IconDownload size={16} aria-hidden />} loading={link.isPending} onClick={open}>
        {t('Download')}
      </Button>
    );
  }
  return (
    <Tip label={t('Download')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Download {name}', { name: report.name })}
        loading={link.isPending}
        onClick={open}
      >
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
    </Tip>
  );
}
