import { PageHeader } from '../../../ui/page-header.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';

/** The builder while its draft is loaded. */
export function BuilderSkeleton() {
  return (
    <>
      <PageHeader title="Playbook builder" />
      <Loading label="Loading the draft">
        <TextSkeleton lines={12} />
      </Loading>
    </>
  );
}
