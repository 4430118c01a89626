import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Props = {
  /** Left out where only a playbook can be meant. */
  of?: Pick<CaseDetail, 'alert_responses' | 'activity'>;
  runId: string;
  children: ReactNode;
};

/** To a run of the case. A playbook has a page of its own; an action opens in the list once the story knows which it was. */
export function RunLink({ of, runId, children }: Props) {
  const response = of?.alert_responses.find((each) => each.workflow_instance_id === runId);
  if (response?.response_type === 'action') {
    const finished = of?.activity.find(({ kind, data }) => kind === 'action_finished' && data.run_id === runId);
    const action = finished?.data.action_uuid;
    return (
      <Link to="/activity/actions" search={typeof action === 'string' ? { action } : {}}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/activity/playbooks/$id" params={{ id: runId }}>
      {children}
    </Link>
  );
}
