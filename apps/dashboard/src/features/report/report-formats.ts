import type { ReportFormat } from '@airdeck/contracts/reports/schema';

/** What each format is for, in the order of choice. */
export const formatWords: Readonly<Record<ReportFormat, { label: string; text: string }>> = {
  csv: {
    label: 'CSV',
    text: 'For spreadsheets. Texts that a spreadsheet would run as a formula get an apostrophe in front.',
  },
  ndjson: { label: 'NDJSON', text: 'One JSON object per line with every original field, byte for byte.' },
  parquet: { label: 'Parquet', text: 'Compact columns for data tools such as ClickHouse, DuckDB or Spark.' },
};

export const formatIds = Object.keys(formatWords) as ReportFormat[];
