import { PageHeader } from '../../ui/page-header.tsx';

export function CaseListPage() {
  return (
    <PageHeader title="Case management" purpose="Cases your policies opened, and what is being done about them." />
  );
}
