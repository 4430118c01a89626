import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './import.module.css';

/** What takes less is not worth a word. */
const SHOWN_AFTER_MS = 1000;
const TICK_MS = 1000;

type Props = {
  /** What is being done: "Reading petstore.yaml". */
  what: string;
  /** Left out where it must not be broken off. */
  onCancel?: () => void;
};

/** How long something has been going on, once it takes longer than a second. */
export function ReadingNote({ what, onCancel }: Props) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - start) / 1000)), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (seconds * 1000 < SHOWN_AFTER_MS) return null;
  return (
    <div className={classes.reading}>
      <Loader size={14} aria-hidden />
      <span role="status">{what} …</span>
      <span className={classes.seconds}>{seconds} s</span>
      {onCancel === undefined ? null : (
        <Button variant="subtle" size="compact-sm" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      )}
    </div>
  );
}
