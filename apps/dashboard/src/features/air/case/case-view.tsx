import type { CaseActivityKind, CaseDetail } from '@airdeck/contracts/cases/schema';
import classes from './case.module.css';
import { CaseClockPanel } from './case-clock-panel.tsx';
import { CaseEntities } from './case-entities.tsx';
import { CaseFacts } from './case-facts.tsx';
import { CaseHeader, type CaseVariant } from './case-header.tsx';
import { CaseProblemNote } from './case-problem-note.tsx';
import { CaseResponses } from './case-responses.tsx';
import { CaseStory } from './case-story.tsx';
import { MatchedEvents } from './matched-events.tsx';
import { OpenQuestionList } from './open-question-list.tsx';
import { RelatedCases } from './related-cases.tsx';
import { useCaseUpdate } from './use-case-update.ts';

type Props = {
  of: CaseDetail;
  variant: CaseVariant;
  kinds: readonly CaseActivityKind[] | undefined;
  onKinds: (kinds: CaseActivityKind[] | undefined) => void;
};

/** One case, the same in the side panel and on its own page: story left, facts right where there is room. */
export function CaseView({ of, variant, kinds, onKinds }: Props) {
  const updater = useCaseUpdate(of);
  return (
    <div className={classes.root} data-variant={variant} data-case={variant}>
      <CaseHeader of={of} updater={updater} variant={variant} />
      {updater.problem === undefined ? null : (
        <CaseProblemNote problem={updater.problem} onDismiss={updater.dismissProblem} onAgain={updater.again} />
      )}
      <OpenQuestionList of={of} />
      <div className={classes.columns}>
        <div className={classes.facts}>
          <CaseClockPanel of={of} updater={updater} />
          <CaseFacts of={of} updater={updater} />
          <CaseEntities of={of} />
          <CaseResponses of={of} />
          <RelatedCases of={of} />
        </div>
        <div className={classes.story}>
          <CaseStory of={of} updater={updater} kinds={kinds} onKinds={onKinds} />
          <MatchedEvents of={of} dense={variant === 'panel'} />
        </div>
      </div>
    </div>
  );
}
