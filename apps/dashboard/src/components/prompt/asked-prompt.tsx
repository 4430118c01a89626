import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../language/translate.ts';
import { type PromptRef, runQueries } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { PromptQuestion } from './prompt-question.tsx';

type Props = {
  which: PromptRef;
  /** The run only tries: no answer has an effect. */
  dryRun?: boolean;
  more?: ReactNode;
  /** The reader gives an answer, whatever comes of it. */
  onPressed?: () => void;
};

/** A question a run asked, in the run and in its case alike: loads it, shows it, takes the answer. */
export function AskedPrompt({ which, dryRun = false, more, onPressed }: Props) {
  const prompt = useQuery(runQueries.prompt(useTenantApi(), which));
  if (prompt.data !== undefined) {
    return <PromptQuestion prompt={prompt.data} which={which} dryRun={dryRun} more={more} onPressed={onPressed} />;
  }
  if (prompt.isError) {
    return <ErrorState error={prompt.error} onRetry={() => void prompt.refetch()} retrying={prompt.isFetching} />;
  }
  return (
    <Loading label={t('Loading the question')}>
      <TextSkeleton lines={3} />
    </Loading>
  );
}
