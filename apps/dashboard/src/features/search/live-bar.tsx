import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
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
  /** After it has ended. */
  onRestart: () => void;
};

const states = {
  connecting: t('Connecting …'),
  open: t('Live'),
  lost: t('Connection lost, trying again …'),
  refused: t('The server refused the live tail.'),
} as const;

/** By what the server says of it. */
const endings: ReadonlyMap<string, string> = new Map([
  ['access', t('The live tail has ended: you may not search here any more.')],
  ['too_expensive', t('The live tail has ended: this search takes the store too long. Narrow it.')],
  ['away', t('The live tail has ended: the connection was lost for too long.')],
]);

/** How the live tail stands: running, paused, what waits and what was too much. */
export function LiveBar({ tail, paused, reading, onPause, onShow, onRestart }: Props) {
  const { waiting, leftOut, dropped, ended } = tail;
  const isOver = ended !== undefined || tail.state === 'refused';
  const state = paused && !isOver ? t('Paused') : states[tail.state];
  return (
    <div className={classes.summary}>
      <strong role="status">
        {ended === undefined ? state : (endings.get(ended) ?? t('The live tail has ended.'))}
      </strong>
      {waiting.length === 0 ? null : (
        <Button variant="light" size="compact-sm" onClick={onShow}>
          {plural(waiting.length, 'Show {count} new', 'Show {count} new##several')}
        </Button>
      )}
      {reading && !paused && !isOver ? <span>{t('New events wait while you read.')}</span> : null}
      {leftOut + dropped === 0 ? null : (
        <span className={classes.warning}>
          {plural(
            leftOut + dropped,
            '{count} more matched than could be shown; a search finds it.',
            '{count} more matched than could be shown; a search finds them.',
          )}
        </span>
      )}
      {isOver ? (
        <Button
          className={classes.push ?? ''}
          variant="default"
          size="compact-sm"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={onRestart}
        >
          {t('Start again')}
        </Button>
      ) : (
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
