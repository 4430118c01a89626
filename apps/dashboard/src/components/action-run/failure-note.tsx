import type { errorInfoSchema } from '@airdeck/contracts/activity/schema';
import { IconCircleX } from '@tabler/icons-react';
import classes from './action-run.module.css';
import { failureAdvice } from './failure-advice.ts';

type Props = { error: ReturnType<(typeof errorInfoSchema)['parse']> };

/** What went wrong, and what to do about it. */
export function FailureNote({ error }: Props) {
  return (
    <div className={classes.failure}>
      <IconCircleX size={16} className={classes.failureIcon} aria-hidden />
      <div>
        <p className={classes.failureText}>{error.message}</p>
        <p className={classes.failureAdvice}>{failureAdvice(error)}</p>
        <span className={classes.code}>{error.code}</span>
      </div>
    </div>
  );
}
