import { ActionIcon } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { t } from '../../../language/translate.ts';
import { figureReportMutations, type ReportRange, type ReportTable } from '../../../queries/figure-reports.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Tip } from '../../../ui/tip.tsx';

type Props = { table: ReportTable; range: ReportRange; label: string };

/** The rows of a table as a file for a spreadsheet. */
export function CsvButton({ table, range, label }: Props) {
  const save = useMutation(figureReportMutations.csv(useTenantApi(), table, range));
  return (
    <Tip label={t('Download as CSV')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
    </Tip>
  );
}
