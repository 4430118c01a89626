import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import type { Tail } from './live-tail.ts';
import classes from './search-page.module.css';

type Props = {
  tail: Tail;
  paused: boolean;
  /** Somebody reads further down, or one event. */
  reading: boolean;
  onPause: (paused: boolean) => void;
  onShow: () => void;
};

const states = { connecting: t('Connecting …'), open: t('Live'), lost: t('Connection lost, trying again …') } as const;

/** How the live tail stands: running, paused, what waits and what was too much. */
export function LiveBar({ tail, paused, reading, onPause, onShow }: Props) {
  const { waiting, leftOut, dropped, ended } = tail;
  return (
    <div className={classes.summary}>
      <strong role="status">
        {ended !== undefined ? t('Ended: {reason}', { reason: ended }) : paused ? t('Paused') : states[tail.state]}
      </strong>
      {waiting.length === 0 ? null : (
        <Button variant="light" size="compact-sm" onClick={onShow}>
          {plural(waiting.length, 'Show {count} new', 'Show {count} new##several')}
        </Button>
      )}
      {reading && !paused && ended === undefined ? <span>{t('New events wait while you read.')}</span> : null}
      {leftOut + dropped === 0 ? null : (
        <span className={classes.warning}>
          {plural(
            leftOut + dropped,
            '{count} more matched than could be shown; a search finds it.',
            '{count} more matched than could be shown; a search finds them.',
          )}
        </span>
      )}
      {ended !== undefined ? null : (
        <Button
          className={classes.push ?? ''}
          variant="default"
          size="compact-sm"
          leftSection={paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
          onClick={() => onPause(!paused)}
        >
          {paused ? t('Go on') : t('Pause')}
        </Button>
      )}
    </div>
  );
}
