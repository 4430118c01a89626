import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { describedBy, FieldFrame } from '../../../../components/expression/field-frame.tsx';
import { t } from '../../../../language/translate.ts';
import { useBuilder } from '../builder-context.ts';
import { circleThrough } from '../document/action-graph.ts';
import { dependenciesOf } from '../document/builder-action.ts';
import { useStepNames } from '../graph/use-step-names.ts';
import classes from './form.module.css';
import type { Step } from './use-step.ts';

/** The steps a step waits for: what lines are in the graph, without a mouse. Those that would make a circle say so. */
export function RunsAfter({ step }: { step: Step }) {
  const { document: doc, change, announce } = useBuilder();
  const { actions } = doc.definition;
  const { id } = step.action;
  const nameOf = useStepNames();
  const waits = dependenciesOf(step.action);
  const others = actions.filter((action) => action.id !== id && !waits.includes(action.id));
  const fieldId = step.fieldId('depends_on');
  const problem = step.problemOf('depends_on');
  return (
    <FieldFrame id={fieldId} label={t('Runs after')} problem={problem}>
      {waits.length === 0 ? (
        <p className={classes.help}>{t('Nothing: it runs at the start.')}</p>
      ) : (
        <ul className={classes.chips} aria-label={t('It runs after')}>
          {waits.map((from) => (
            <li key={from} className={classes.chip}>
              {nameOf(from)}
              <ActionIcon
                size={24}
                aria-label={t('No longer run after {name}', { name: nameOf(from) })}
                onClick={() => {
                  change({ type: 'disconnect', from, to: id });
                  // Taking the last one away is what makes the choice usable: it can be focused a moment later.
                  requestAnimationFrame(() => document.getElementById(fieldId)?.focus());
                }}
              >
                <IconX size={12} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <NativeSelect
        id={fieldId}
        {...describedBy(fieldId, { problem })}
        disabled={others.length === 0}
        value=""
        data={[
          { value: '', label: others.length === 0 ? t('There is no other step') : t('Add a step…') },
          ...others.map((action) => {
            const circle = circleThrough(actions, { from: action.id, to: id }) !== undefined;
            return {
              value: action.id,
              label: circle ? t('{name} (runs after this one)', { name: nameOf(action.id) }) : nameOf(action.id),
              disabled: circle,
            };
          }),
        ]}
        onChange={(event) => {
          const from = event.currentTarget.value;
          if (from === '') return;
          change({ type: 'connect', from, to: id });
          announce(t('It runs after {name}', { name: nameOf(from) }));
        }}
      />
    </FieldFrame>
  );
}
