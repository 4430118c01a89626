import type { Prompt } from '@airdeck/contracts/activity/schema';
import { IconUserCheck } from '@tabler/icons-react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
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
        {tx('{person} chose {labelOf} {time}', {
          person: <Person username={first.username} />,
          labelOf: <strong>{labelOf(prompt.options, first.option)}</strong>,
          time: <RelativeTime time={first.at} className={classes.faint ?? ''} />,
        })}
        <div className={classes.faint}>
          {t('A second person must confirm.{what}', {
            what: user.uname === first.username ? t(' Until then you can choose otherwise.') : '',
          })}
        </div>
      </div>
    </div>
  );
}
