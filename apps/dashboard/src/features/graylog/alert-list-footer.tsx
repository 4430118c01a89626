import { Button } from '@mantine/core';
import { Count } from '../../ui/count.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './graylog.module.css';

type Props = {
  /** Of those that are loaded, the ones the search fits. */
  shown: number;
  loaded: number;
  total: number;
  updatedAt: number;
  hasMore: boolean;
  loading: boolean;
  failed: boolean;
  onMore: () => void;
};

/** How much of the whole is here: the search looks only through that. */
export function AlertListFooter({ shown, loaded, total, updatedAt, hasMore, loading, failed, onMore }: Props) {
  return (
    <div className={classes.footer}>
      <span role="status">
        {shown === loaded ? null : (
          <>
            <Count value={shown} /> of{' '}
          </>
        )}
        {loaded < total ? (
          <>
            the newest <Count value={loaded} /> of <Count value={total} /> alerts
          </>
        ) : (
          <>
            <Count value={loaded} /> {loaded === 1 ? 'alert' : 'alerts'}
          </>
        )}{' '}
        · updated <RelativeTime time={new Date(updatedAt).toISOString()} />
      </span>
      {hasMore ? (
        <Button variant="default" size="compact-sm" onClick={onMore} loading={loading}>
          {failed ? 'Try to load older ones again' : 'Load older ones'}
        </Button>
      ) : null}
    </div>
  );
}
