import { IconAlertTriangle } from '@tabler/icons-react';
import { plural } from '../../../language/plural.ts';
import type { DraftProblems } from '../draft/draft-problems.ts';
import classes from './editor.module.css';

type Props = { problems: DraftProblems; jsonProblem: string | undefined };

/** How much keeps the policy from being saved; what has no field of its own is named here. */
export function ProblemSummary({ problems: { places, nodes, other }, jsonProblem }: Props) {
  const marked = Object.keys(places).length + nodes.size;
  if (marked === 0 && other.length === 0 && jsonProblem === undefined) return null;
  return (
    <div className={classes.summary} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        {jsonProblem === undefined ? null : <p>{jsonProblem}</p>}
        {marked === 0 ? null : (
          <p>{plural(marked, 'One thing below has to be mended.', '{count} things below have to be mended.')}</p>
        )}
        {other.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    </div>
  );
}
