import { Skeleton } from '@mantine/core';
import classes from './skeletons.module.css';

/** Lines of text that are not there yet. Of its own: the first screens show none. */
export function TextSkeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className={classes.lines}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never move
        <Skeleton key={index} height={10} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </div>
  );
}
