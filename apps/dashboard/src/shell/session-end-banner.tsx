import { Button } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../language/translate.ts';
import { useApp } from '../session/app-context.ts';
import { soonEnd } from '../session/session-end.ts';
import { dateFormat, useReader } from '../ui/reader.ts';
import banner from './banner.module.css';
import classes from './session-end-banner.module.css';

const LOOK_EVERY_MS = 15_000;

/** Says in time that the session is about to end, and lets who is still there go on. */
export function SessionEndBanner() {
  const { identity } = useApp();
  const reader = useReader();
  const [endsAt, setEndsAt] = useState<number>();
  const [tried, setTried] = useState(false);
  useEffect(() => {
    let left = false;
    const timer = setInterval(async () => {
      const end = await soonEnd(identity, Date.now);
      if (left) return;
      setEndsAt(end);
      if (end === undefined) setTried(false);
    }, LOOK_EVERY_MS);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [identity]);
  if (endsAt === undefined) return null;

  // Pressing the button is using the page, which is what asking again tells the provider.
  const stay = async () => {
    const end = await soonEnd(identity, Date.now);
    setEndsAt(end);
    setTried(end !== undefined);
  };
  const time = dateFormat(reader, { timeStyle: 'short' }).format(endsAt);
  return (
    <div className={`${banner.root} ${classes.root}`} role="alert">
      <IconClockExclamation size={16} aria-hidden />
      <div className={classes.words}>
        {tried
          ? t('Your sign-in ends at {time} and cannot be made longer. Save your work, then sign in again.', { time })
          : t('You will be signed out at {time}, because nobody has used this page for a while.', { time })}
        {!tried && (
          <Button size="compact-sm" variant="default" onClick={() => void stay()}>
            {t('Stay signed in')}
          </Button>
        )}
      </div>
    </div>
  );
}
