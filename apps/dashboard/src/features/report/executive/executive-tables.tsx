import type { ExecutiveReport, ExecutiveReportTable } from '@airdeck/contracts/reports/executive-report';
import { ActionIcon, Menu } from '@mantine/core';
import { IconTableDown } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { t } from '../../../language/translate.ts';
import { executiveReportMutations } from '../../../queries/executive-reports.ts';
import { useTenantApi } from '../../../session/app-context.ts';

const labels = {
  figures: t('Figures'),
  cases_by_week: t('Cases by week'),
  times_by_week: t('Times to respond by week'),
  notable_cases: t('Notable cases'),
  automation: t('Automation'),
  coverage: t('Coverage of ATT&CK'),
  volume_by_day: t('Volume by day'),
  sources: t('Sources'),
  recommendations: t('Recommendations'),
} as const satisfies Readonly<Record<ExecutiveReportTable, string>>;

const tables = Object.keys(labels) as (keyof typeof labels)[];

/** Each table of a report as a file for a spreadsheet. */
export function ExecutiveTables({ report }: { report: ExecutiveReport }) {
  const save = useMutation(executiveReportMutations.csv(useTenantApi(), report));
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          title={t('Tables as CSV')}
          aria-label={t('Tables of {name} as CSV', { name: report.name })}
          loading={save.isPending}
        >
          <IconTableDown size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Tables as CSV')}</Menu.Label>
        {tables.map((table) => (
          <Menu.Item key={table} onClick={() => save.mutate(table)}>
            {labels[table]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
