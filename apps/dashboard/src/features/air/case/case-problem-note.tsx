import { CloseButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { personName } from '../person-name.ts';
import classes from './case.module.css';
import type { CaseProblem } from './case-problem.ts';

/** A refused change: why, and what somebody else did meanwhile. */
export function CaseProblemNote({ problem, onDismiss }: { problem: CaseProblem; onDismiss: () => void }) {
  const { user } = useCurrentUser();
  return (
    <div className={classes.problem} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p className={classes.problemTitle}>Nothing was changed. {problem.text}</p>
        {problem.since.length === 0 ? null : (
          <ul>
            {problem.since.map(({ id, at, username, text }) => (
              <li key={id}>
                {personName(username, user)}: {text}, <RelativeTime time={at} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <CloseButton aria-label="Dismiss" onClick={onDismiss} />
    </div>
  );
}
