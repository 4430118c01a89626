import type { SearchReport } from '@airdeck/contracts/reports/schema';
import { searchReportQueries } from '../../queries/search-reports.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { FileLinkButton } from './file-link-button.tsx';

type Props = { report: Pick<SearchReport, 'id' | 'name'>; compact?: boolean };

/** The file of a search report. */
export function DownloadButton({ report: { id, name }, compact = false }: Props) {
  return <FileLinkButton name={name} link={searchReportQueries.link(useTenantApi(), id)} compact={compact} />;
}
