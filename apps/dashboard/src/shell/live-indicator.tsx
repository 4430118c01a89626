import { displayTime } from '@airdeck/domain/display-time';
import { t } from '../language/translate.ts';
import type { LiveStatus } from '../lib/live-updates.ts';
import { useReader, zoneOf } from '../ui/reader.ts';
import { Tip } from '../ui/tip.tsx';
import classes from './live-indicator.module.css';
import { useLiveState } from './live-state.tsx';

const looks: Readonly<Record<LiveStatus, { word: string; color: string; meaning: string }>> = {
  connected: { word: t('Live'), color: 'var(--air-success)', meaning: t('Screens refresh by themselves') },
  connecting: { word: t('Connecting'), color: 'var(--air-idle)', meaning: t('Connecting to the server') },
  stale: { word: t('Reconnecting'), color: 'var(--air-medium)', meaning: t('What you see may be old') },
  refused: { word: t('Not live'), color: 'var(--air-medium)', meaning: t('Load the page again to see what is new') },
  offline: { word: t('Offline'), color: 'var(--air-critical)', meaning: t('This device has no network') },
};

/** How fresh the screen is: connected, stale or offline, and since when. */
export function LiveIndicator() {
  const live = useLiveState();
  const { word, color, meaning } = looks[live.status];
  return (
    <Tip label={<Meaning meaning={meaning} since={live.since} />} position="bottom">
      <span className={classes.root} role="status">
        <span className={classes.dot} style={{ background: color }} aria-hidden="true" />
        <span className={classes.word}>{word}</span>
      </span>
    </Tip>
  );
}

/** Only where somebody asks for it: the first date a page writes takes 20 to 40 ms, and this one is on every page. */
function Meaning({ meaning, since: at }: { meaning: string; since: Date }) {
  const reader = useReader();
  const since = displayTime(at, { now: new Date(), locale: reader.locale, ...zoneOf(reader) });
  return t('{meaning}, since {since}', { meaning, since });
}
