import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconCircleCheck, IconX } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import classes from './builder.module.css';
import { useBuilder } from './builder-context.ts';
import type { PlacedProblem } from './document/problem-places.ts';
import { stepFieldId } from './form/use-step.ts';
import { useStepNames } from './graph/use-step-names.ts';

/** Everything that is wrong, each leading to where it can be put right. */
export function ProblemsPanel() {
  const { problems, show, change } = useBuilder();
  const nameOf = useStepNames();
  const jump = ({ actionId, field }: PlacedProblem) => {
    change({ type: 'select', ids: actionId === undefined ? [] : [actionId] });
    show({ show: 'form' });
    // The form has to be there first.
    requestAnimationFrame(() => requestAnimationFrame(() => focusField(field)));
  };
  return (
    <section className={classes.panel} aria-label={t('Problems')}>
      <div className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{t('Problems')}</h2>
        <ActionIcon aria-label={t('Close')} onClick={() => show({ show: 'form' })}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      {problems.length === 0 ? (
        <p className={classes.fine}>
          <IconCircleCheck size={16} aria-hidden />
          {t('Nothing is wrong. It can be published.')}
        </p>
      ) : (
        <ul className={classes.problems}>
          {problems.map((problem) => (
            <li key={`${problem.actionId} ${problem.field} ${problem.message}`}>
              <UnstyledButton className={classes.problem} onClick={() => jump(problem)}>
                <span className={classes.problemPlace}>{placeOf(problem, nameOf)}</span>
                <span>{problem.message}</span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function placeOf({ actionId, field }: PlacedProblem, nameOf: (id: string) => string): string {
  const what = field === '' ? '' : ` · ${field}`;
  return `${actionId === undefined ? t('Playbook') : nameOf(actionId)}${what}`;
}

/** The control of the field, or of the nearest thing around it; else the form's title. */
function focusField(field: string): void {
  for (let at = field; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const control = document.getElementById(stepFieldId(at));
    if (control === null) continue;
    control.focus();
    control.scrollIntoView({ block: 'nearest' });
    return;
  }
  document.getElementById('step-title')?.focus();
}
