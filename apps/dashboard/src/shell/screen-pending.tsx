import { t } from '../language/translate.ts';
import { HeaderSkeleton, Loading, TableSkeleton } from '../ui/skeletons.tsx';

/** Placeholder of screens that bring none of their own shape. */
export function ScreenPending({ waited = true }: { waited?: boolean }) {
  return (
    <Loading label={t('Loading')} waited={waited}>
      <HeaderSkeleton />
      <TableSkeleton />
    </Loading>
  );
}
