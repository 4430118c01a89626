import { Skeleton } from '@mantine/core';
import { Loading } from '../../ui/skeletons.tsx';
import classes from './list-widget.module.css';
import frameClasses from './widget.module.css';

/** Rows of a list in a widget. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <div className={frameClasses.late}>
      <Loading label={label}>
        <div className={classes.skeleton}>
          {Array.from({ length: 7 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never move
            <div key={index} className={classes.skeletonRow}>
              <Skeleton height={10} width={72} />
              <Skeleton height={10} width={`${36 + ((index * 11) % 24)}%`} />
              <Skeleton height={10} width={80} ml="auto" />
            </div>
          ))}
        </div>
      </Loading>
    </div>
  );
}
