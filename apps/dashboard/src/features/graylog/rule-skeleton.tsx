import { t } from '../../language/translate.ts';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';

/** While one automation loads. */
export function RuleSkeleton({ waited = true }: { waited?: boolean }) {
  return (
    <Loading label={t('Loading the automation')} waited={waited}>
      <TableSkeleton rows={8} />
    </Loading>
  );
}
