import type { RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { useQuery } from '@tanstack/react-query';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { skipWords } from '../step-state.ts';
import { PromptQuestion } from './prompt-question.tsx';
import classes from './run.module.css';

type Props = { runId: string; action: Extract<PlaybookAction, { kind: 'prompt' }>; summary: RunActionSummary };

/** A question of a run: to be answered here, or how it was. */
export function PromptStep({ runId, action, summary }: Props) {
  if (summary.prompt_id === null) {
    return (
      <div className={classes.parts}>
        <p className={classes.words}>
          {skipWords(summary) === undefined ? 'Not asked yet. The run will ask:' : 'The run would have asked:'}
        </p>
        <p className={classes.question}>{action.message}</p>
      </div>
    );
  }
  return <Asked which={{ runId, promptId: summary.prompt_id, status: summary.status }} />;
}

function Asked({ which }: { which: Parameters<typeof runQueries.prompt>[1] }) {
  const prompt = useQuery(runQueries.prompt(useTenantApi(), which));
  if (prompt.data !== undefined) return <PromptQuestion prompt={prompt.data} status={which.status} />;
  if (prompt.isError) {
    return <ErrorState error={prompt.error} onRetry={() => void prompt.refetch()} retrying={prompt.isFetching} />;
  }
  return (
    <Loading label="Loading question">
      <TextSkeleton lines={3} />
    </Loading>
  );
}
