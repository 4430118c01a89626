import type { PolicySequence } from '@airdeck/contracts/policies/schema';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { sourceWords } from '../list/policy-words.ts';
import classes from './criteria.module.css';
import { CriteriaWords } from './criteria-words.tsx';

/** The steps of a sequence in words, one under the other. */
export function SequenceWords({ sequence }: { sequence: PolicySequence }) {
  return (
    <ol className={classes.steps}>
      {sequence.steps.map(({ filter_criteria, source, group_by }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
        <li key={index}>
          {source === undefined ? null : (
            <span className={classes.faint}>
              {t('In events of {sources}', { sources: [source, ...(source.also ?? [])].map(sourceWords).join(', ') })}
            </span>
          )}
          <CriteriaWords criteria={filter_criteria} />
          {group_by === undefined ? null : (
            <span className={classes.faint}>
              {tx('Grouped by {fields}', { fields: <span className="air-mono">{group_by.join(', ')}</span> })}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
