import { PageHeader } from '../../ui/page-header.tsx';

export function ActionActivityPage() {
  return <PageHeader title="Actions" purpose="Every action that ran, by hand, by an event or in a playbook." />;
}
