import type { ReportFormat } from '@airdeck/contracts/reports/schema';
import { Radio, Stack } from '@mantine/core';
import { t } from '../../language/translate.ts';
import { formatIds, formatWords } from './report-formats.ts';

type Props = { value: ReportFormat; onChange: (format: ReportFormat) => void };

export function FormatChoice({ value, onChange }: Props) {
  return (
    <Radio.Group
      label={t('Format')}
      value={value}
      onChange={(chosen) => onChange(formatIds.find((format) => format === chosen) ?? 'csv')}
    >
      <Stack gap="xs" mt={6}>
        {formatIds.map((format) => (
          <Radio
            key={format}
            value={format}
            label={formatWords[format].label}
            description={formatWords[format].text}
            size="sm"
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
