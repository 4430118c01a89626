import type { Prompt } from '@airdeck/contracts/activity/schema';
import { IconUserCheck } from '@tabler/icons-react';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Person } from '../person.tsx';
import { labelOf } from './option-label.ts';
import classes from './prompt.module.css';

type Props = {
  prompt: Prompt;
  answered: NonNullable<Prompt['answered']>;
  /** The reader's own answer came second. */
  tooLate: boolean;
};

/** Who chose what, and when. */
export function AnswerGiven({ prompt, answered, tooLate }: Props) {
  const { first } = prompt.second_approval;
  const label = labelOf(prompt.options, answered.option);
  return (
    <div className={classes.given}>
      <IconUserCheck size={16} className={classes.givenIcon} aria-hidden />
      <div>
        {tooLate ? <div className={classes.tooLate}>Your answer came second; the first one counts.</div> : null}
        {answered.username === 'system' ? (
          <>
            Nobody answered in time, so <strong>{label}</strong> was taken
          </>
        ) : (
          <>
            <Person username={answered.username} /> chose <strong>{label}</strong>
            {first === null || first.username === answered.username ? null : (
              <>
                , as <Person username={first.username} /> had
              </>
            )}
          </>
        )}{' '}
        <RelativeTime time={answered.at} className={classes.faint ?? ''} />
        {answered.comment === null ? null : <p className={classes.comment}>{answered.comment}</p>}
      </div>
    </div>
  );
}
