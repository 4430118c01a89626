import { IconAlertTriangle } from '@tabler/icons-react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import type { DraftProblems, ProblemPlace } from '../draft/draft-problems.ts';
import classes from './editor.module.css';

/** In the order of the form. */
const placeNames = Object.entries({
  name: t('Name'),
  description: t('Description'),
  techniques: t('MITRE ATT&CK techniques'),
  source: t('Whose events'),
  criteria: t('What it looks for'),
  group_by: t('One case per'),
  threshold: t('Only when several fit within a time'),
  sequence: t('Only when steps follow each other'),
  suppress: t('Stay quiet after a case'),
} satisfies Record<ProblemPlace, string>) as [ProblemPlace, string][];

type Props = {
  problems: DraftProblems;
  jsonProblem: string | undefined;
  /** Whether the fields are on the screen, and not the same policy as JSON. */
  linked: boolean;
};

/** What keeps the policy from being saved, each leading to its field where it has one. */
export function ProblemSummary({ problems: { places, nodes, other }, jsonProblem, linked }: Props) {
  const found = [
    ...placeNames.flatMap(([place, label]) => {
      const text = places[place];
      return text === undefined ? [] : [{ at: `[data-place="${place}"]`, label, text }];
    }),
    ...[...nodes].map(([id, text]) => ({ at: `[data-node="${id}"]`, label: t('Conditions'), text })),
  ];
  const marked = found.length;
  if (marked === 0 && other.length === 0 && jsonProblem === undefined) return null;
  return (
    <div className={classes.summary} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        {jsonProblem === undefined ? null : <p>{jsonProblem}</p>}
        {marked === 0 ? null : (
          <>
            <p>{plural(marked, 'One thing below has to be mended.', '{count} things below have to be mended.')}</p>
            <ul>
              {found.map(({ at, label, text }) => (
                <li key={at}>
                  {linked ? (
                    <button type="button" className={classes.summaryLink} onClick={() => focusField(at)}>
                      {label}
                    </button>
                  ) : (
                    label
                  )}
                  {': '}
                  {text}
                </li>
              ))}
            </ul>
          </>
        )}
        {other.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    </div>
  );
}

/** The field itself, or the first one of the part of the form. */
function focusField(at: string): void {
  const fields = 'input,select,textarea,button';
  const place = document.querySelector<HTMLElement>(at);
  (place?.matches(fields) === true ? place : place?.querySelector<HTMLElement>(fields))?.focus();
}
