import type { Prompt } from '@airdeck/contracts/activity/schema';
import { IconUserCheck } from '@tabler/icons-react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
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
        {tooLate ? <div className={classes.tooLate}>{t('Your answer came second; the first one counts.')}</div> : null}
        {answered.username === 'system' ? (
          tx('Nobody answered in time, so {label} was taken', { label: <strong>{label}</strong> })
        ) : (
          <>
            {tx('{person} chose {label}', {
              person: <Person username={answered.username} />,
              label: <strong>{label}</strong>,
            })}
            {first === null || first.username === answered.username
              ? null
              : tx(', as {person} had', { person: <Person username={first.username} /> })}
          </>
        )}{' '}
        <RelativeTime time={answered.at} className={classes.faint ?? ''} />
        {answered.comment === null ? null : <p className={classes.comment}>{answered.comment}</p>}
      </div>
    </div>
  );
}
