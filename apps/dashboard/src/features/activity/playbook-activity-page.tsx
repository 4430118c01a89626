import { PageHeader } from '../../ui/page-header.tsx';

export function PlaybookActivityPage() {
  return <PageHeader title="Playbooks" purpose="Every run of a playbook, and what it waits for." />;
}
