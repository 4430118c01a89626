import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** To the run of a playbook. */
export function RunLink({ runId, children }: { runId: string; children: ReactNode }) {
  return (
    <Link to="/activity/playbooks/$id" params={{ id: runId }}>
      {children}
    </Link>
  );
}
