import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';

/** While one automation loads. */
export function RuleSkeleton() {
  return (
    <Loading label="Loading the automation">
      <TableSkeleton rows={8} />
    </Loading>
  );
}
