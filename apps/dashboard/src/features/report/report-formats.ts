import type { ReportFormat } from '@airdeck/contracts/reports/schema';
import { t } from '../../language/translate.ts';

/** What each format is for, in the order of choice. */
export const formatWords: Readonly<Record<ReportFormat, { label: string; text: string }>> = {
  csv: {
    label: t('CSV'),
    text: t('For spreadsheets. Texts that a spreadsheet would run as a formula get an apostrophe in front.'),
  },
  ndjson: { label: t('NDJSON'), text: t('One JSON object per line with every original field, byte for byte.') },
  parquet: { label: t('Parquet'), text: t('Compact columns for data tools such as ClickHouse, DuckDB or Spark.') },
};

export const formatIds = Object.keys(formatWords) as ReportFormat[];
