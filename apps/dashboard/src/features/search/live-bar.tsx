import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Count } from '../../ui/count.tsx';
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

const states = { connecting: 'Connecting …', open: 'Live', lost: 'Connection lost, trying again …' } as const;

/** How the live tail stands: running, paused, what waits and what was too much. */
export function LiveBar({ tail, paused, reading, onPause, onShow }: Props) {
  const { waiting, leftOut, dropped, ended } = tail;
  return (
    <div className={classes.summary}>
      <strong role="status">{ended !== undefined ? `Ended: ${ended}` : paused ? 'Paused' : states[tail.state]}</strong>
      {waiting.length === 0 ? null : (
        <Button variant="light" size="compact-sm" onClick={onShow}>
          Show <Counted value={waiting.length} /> new
        </Button>
      )}
      {reading && !paused && ended === undefined ? <span>New events wait while you read.</span> : null}
      {leftOut + dropped === 0 ? null : (
        <span className={classes.warning}>
          <Counted value={leftOut + dropped} /> more matched than could be shown; a search finds them.
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
          {paused ? 'Go on' : 'Pause'}
        </Button>
      )}
    </div>
  );
}

/** Inside a button's label, where a bare text node would lose its spaces. */
function Counted({ value }: { value: number }): ReactNode {
  return (
    <span style={{ padding: '0 0.25em' }}>
      <Count value={value} />
    </span>
  );
}
