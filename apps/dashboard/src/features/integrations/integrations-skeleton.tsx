import { HeaderSkeleton, Loading, TableSkeleton, TextSkeleton } from '../../ui/skeletons.tsx';

export function IntegrationsSkeleton() {
  return (
    <Loading label="Loading integrations">
      <HeaderSkeleton />
      <TableSkeleton rows={8} />
    </Loading>
  );
}

export function IntegrationSkeleton() {
  return (
    <Loading label="Loading the integration">
      <HeaderSkeleton />
      <TextSkeleton lines={8} />
    </Loading>
  );
}
