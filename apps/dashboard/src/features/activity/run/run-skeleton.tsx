import { Skeleton } from '@mantine/core';
import { t } from '../../../language/translate.ts';
import { HeaderSkeleton, Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import classes from './run.module.css';

/** Shape of a run while it loads. */
export function RunSkeleton() {
  return (
    <Loading waited label={t('Loading playbook run')}>
      <HeaderSkeleton />
      <Skeleton height={110} radius={8} />
      <div className={classes.columns}>
        <TableSkeleton rows={4} />
        <TableSkeleton rows={6} />
      </div>
    </Loading>
  );
}
