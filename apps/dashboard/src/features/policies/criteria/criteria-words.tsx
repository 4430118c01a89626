import type { Criterion } from '@airdeck/contracts/policies/schema';
import { Fragment } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './criteria.module.css';
import { groupWords, type WordTree, wordTree } from './criterion-words.ts';

/** Values beyond this are counted, not listed. */
const SHOWN_VALUES = 12;

/** What a policy looks for, in words. */
export function CriteriaWords({ criteria }: { criteria: readonly Criterion[] }) {
  return (
    <div className={classes.words}>
      <Tree tree={wordTree(criteria)} />
    </div>
  );
}

function Tree({ tree }: { tree: WordTree }) {
  if (tree.kind === 'field') return <FieldWords of={tree} />;
  // A group of one needs no heading, unless it says "none".
  const [only] = tree.members;
  if (tree.members.length === 1 && tree.of !== 'none' && only !== undefined) return <Tree tree={only} />;
  return (
    <div>
      <span className={classes.wordsKind} data-kind={tree.of}>
        {groupWords[tree.of]}
      </span>
      <ul className={classes.wordsList}>
        {tree.members.map((member, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: criteria have no identity; another policy draws them anew
          <li key={index}>
            <Tree tree={member} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function FieldWords({ of }: { of: Extract<WordTree, { kind: 'field' }> }) {
  const shown = of.values.slice(0, SHOWN_VALUES);
  const more = of.values.length - shown.length;
  return (
    <span>
      <span className={`air-mono ${classes.wordsField}`}>{of.field}</span> {of.verb}{' '}
      {shown.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same value may stand twice
        <Fragment key={index}>
          {index === 0 ? null : ` ${of.joint} `}
          <span className={`air-mono ${classes.wordsValue}`}>{value}</span>
        </Fragment>
      ))}
      {more > 0 ? t(' {joint} {more} more', { joint: of.joint, more }) : null}
      {of.note === '' ? null : <span className={classes.faint}> ({of.note})</span>}
    </span>
  );
}
