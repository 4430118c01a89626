import { Button, CloseButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { personName } from '../../../components/person-name.ts';
import { t } from '../../../language/translate.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './case.module.css';
import type { CaseProblem } from './case-problem.ts';
import { storySentence } from './story-sentence.ts';

type Props = {
  problem: CaseProblem;
  onDismiss: () => void;
  /** Makes the change once more, to the case as it is now; left out where the form itself does that. */
  onAgain?: (() => void) | undefined;
};

/** A refused change: why, and what somebody else did meanwhile. */
export function CaseProblemNote({ problem, onDismiss, onAgain }: Props) {
  const { user } = useCurrentUser();
  const nameOf = (username: string) => personName(username, user);
  return (
    <div className={classes.problem} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p className={classes.problemTitle}>{t('Nothing was changed. {text}', { text: problem.text })}</p>
        {problem.since.length === 0 ? null : (
          <ul>
            {problem.since.map((entry) => (
              <li key={entry.id}>
                {nameOf(entry.username)} {storySentence(entry, { nameOf }).text}, <RelativeTime time={entry.at} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {onAgain === undefined ? null : (
        <Button variant="default" onClick={onAgain}>
          {t('Apply again')}
        </Button>
      )}
      <CloseButton aria-label={t('Dismiss')} onClick={onDismiss} />
    </div>
  );
}
