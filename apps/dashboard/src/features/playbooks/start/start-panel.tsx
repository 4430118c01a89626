import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { useState } from 'react';
import { RunProgress } from './run-progress.tsx';
import classes from './start.module.css';
import { StartForm } from './start-form.tsx';

type Props = {
  playbook: Playbook;
  leaveParam?: string;
  /** The try is what enter does, and the first button. */
  triesFirst?: boolean;
};

/** Runs a playbook, and shows below how that goes. */
export function StartPanel(props: Props) {
  const [begunId, setBegunId] = useState<string>();
  return (
    <div className={classes.stack}>
      <StartForm {...props} onStarted={({ summary }) => setBegunId(summary.workflow_uuid)} />
      {begunId === undefined ? null : <RunProgress key={begunId} id={begunId} />}
    </div>
  );
}
