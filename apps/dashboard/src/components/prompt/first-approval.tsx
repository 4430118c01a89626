import type { Prompt } from '@airdeck/contracts/activity/schema';
import { IconUserCheck } from '@tabler/icons-react';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Person } from '../person.tsx';
import { labelOf } from './option-label.ts';
import classes from './prompt.module.css';

type Props = { prompt: Prompt; first: NonNullable<Prompt['second_approval']['first']> };

/** Who chose first, where a second person must confirm. */
export function FirstApproval({ prompt, first }: Props) {
  const { user } = useCurrentUser();
  return (
    <div className={classes.given}>
      <IconUserCheck size={16} className={classes.givenIcon} aria-hidden />
      <div>
        <Person username={first.username} /> chose <strong>{labelOf(prompt.options, first.option)}</strong>{' '}
        <RelativeTime time={first.at} className={classes.faint ?? ''} />
        <div className={classes.faint}>
          A second person must confirm.{user.uname === first.username ? ' Until then you can choose otherwise.' : ''}
        </div>
      </div>
    </div>
  );
}
