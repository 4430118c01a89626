import { IconUserQuestion } from '@tabler/icons-react';
import { AskedPrompt } from '../../../components/prompt/asked-prompt.tsx';
import { t } from '../../../language/translate.ts';
import classes from './case.module.css';
import type { AskedQuestion } from './open-questions.ts';
import { RunLink } from './run-link.tsx';

type Props = {
  question: AskedQuestion;
  /** Somebody gives an answer here, whatever comes of it. */
  onPressed: () => void;
};

/** A question a response waits with: the most important thing on the screen, answered where it stands. */
export function QuestionCard({ question, onPressed }: Props) {
  return (
    <section className={classes.question} aria-label={t('Question of a response')}>
      <IconUserQuestion size={20} className={classes.questionIcon} aria-hidden />
      <div className={classes.asked}>
        <AskedPrompt
          which={question}
          onPressed={onPressed}
          more={<RunLink runId={question.runId}>{t('See the run')}</RunLink>}
        />
      </div>
    </section>
  );
}
