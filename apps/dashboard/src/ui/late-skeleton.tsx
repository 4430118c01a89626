import { Skeleton, type SkeletonProps } from '@mantine/core';
import classes from './skeletons.module.css';

/** One shape on its own: after 300 ms, as those within `Loading`. */
export function LateSkeleton(props: SkeletonProps) {
  return <Skeleton className={classes.late} {...props} />;
}
