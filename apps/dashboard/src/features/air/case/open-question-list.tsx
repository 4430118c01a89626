import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { isOpen, type Question, questionsOf, runsToAsk } from './open-questions.ts';
import { QuestionCard } from './question-card.tsx';

/**
 * Every question the responses of a case wait with. One that was answered here stays: it says whether that answer is the one
 * that counts.
 */
export function OpenQuestionList({ of }: { of: CaseDetail }) {
  const tenantApi = useTenantApi();
  const [pressed, setPressed] = useState<readonly Question[]>([]);
  const toAsk = new Set([...runsToAsk(of), ...pressed.map(({ runId }) => runId)]);
  const runs = useQueries({ queries: [...toAsk].map((id) => runQueries.detail(tenantApi, id)) });
  const isPressed = ({ promptId }: Question) => pressed.some((each) => each.promptId === promptId);
  const known = questionsOf(
    of,
    runs.flatMap(({ data }) => data ?? []),
  );
  return known
    .filter((question) => isOpen(question) || isPressed(question))
    .map((question) => (
      <QuestionCard
        key={question.promptId}
        question={question}
        onPressed={() => setPressed((before) => [...before, question])}
      />
    ));
}
