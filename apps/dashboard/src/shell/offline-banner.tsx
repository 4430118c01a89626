import { IconCloudOff } from '@tabler/icons-react';
import { tx } from '../language/rich-text.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import banner from './banner.module.css';
import { useLiveState } from './live-state.tsx';
import classes from './offline-banner.module.css';

/** Says above the screen that the network is gone; the live indicator announces it to screen readers. */
export function OfflineBanner() {
  const live = useLiveState();
  if (live.status !== 'offline') return null;
  return (
    <div className={`${banner.root} ${classes.root}`}>
      <IconCloudOff size={16} aria-hidden />
      <span>
        {tx('The network was lost {time}. What you see may be old, and nothing else loads until it is back.', {
          time: <RelativeTime time={live.since.toISOString()} />,
        })}
      </span>
    </div>
  );
}
