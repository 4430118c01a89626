import type { SearchReport } from '@airdeck/contracts/reports/schema';
import { ActionIcon, Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';
import { searchReportQueries } from '../../queries/search-reports.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Tip } from '../../ui/tip.tsx';
import { useLink } from './use-link.ts';

type Props = { report: Pick<SearchReport, 'id' | 'name'>; compact?: boolean };

/** Asks for a link to the file and follows it. */
export function DownloadButton({ report, compact = false }: Props) {
  const link = useLink(searchReportQueries.link(useTenantApi(), report.id));
  if (!compact) {
    return (
      <Button leftSection={<IconDownload size={16} aria-hidden />} loading={link.isFetching} onClick={link.follow}>
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
        loading={link.isFetching}
        onClick={link.follow}
      >
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
    </Tip>
  );
}
