import { Skeleton } from '@mantine/core';
import { t } from '../../../language/translate.ts';
import { HeaderSkeleton, Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import classes from './detail.module.css';

/** Shape of a playbook while it loads. */
export function PlaybookSkeleton() {
  return (
    <Loading waited label={t('Loading playbook')}>
      <HeaderSkeleton />
      <Skeleton height={150} radius={8} mt={48} />
      <div className={classes.columns}>
        <TableSkeleton rows={4} />
        <TableSkeleton rows={6} />
      </div>
    </Loading>
  );
}
