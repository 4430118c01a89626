import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { useQuery } from '@tanstack/react-query';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { openQuestions, questionsOfRun, unexplainedRuns } from './open-questions.ts';
import { QuestionCard } from './question-card.tsx';

/** Every question the responses of a case wait with. */
export function OpenQuestionList({ of }: { of: CaseDetail }) {
  return (
    <>
      {openQuestions(of).map((question) => (
        <QuestionCard key={question.promptId} question={question} />
      ))}
      {unexplainedRuns(of).map((runId) => (
        <QuestionsOfRun key={runId} runId={runId} />
      ))}
    </>
  );
}

function QuestionsOfRun({ runId }: { runId: string }) {
  const run = useQuery(runQueries.detail(useTenantApi(), runId));
  if (run.data === undefined) return null;
  return questionsOfRun(run.data).map((question) => <QuestionCard key={question.promptId} question={question} />);
}
