import { Button } from '@mantine/core';
import { objectOf } from '../../../../components/schema-form/form-schema.ts';
import { t } from '../../../../language/translate.ts';
import { useBuilder } from '../builder-context.ts';
import { type BuilderAction, dependenciesOf, textAt } from '../document/builder-action.ts';
import { useStepNames } from '../graph/use-step-names.ts';
import classes from './form.module.css';
import type { Step } from './use-step.ts';

/** After a question, most steps depend on its answer: says that this one does not yet, and lets it. */
export function AnswerHint({ step }: { step: Step }) {
  const { document: doc, announce } = useBuilder();
  const { action } = step;
  const nameOf = useStepNames();
  const prompt = doc.definition.actions.find(
    ({ id, kind }) => kind === 'prompt' && dependenciesOf(action).includes(id),
  );
  if (prompt === undefined || textAt(action, 'when') !== '') return null;
  const question = nameOf(prompt.id);
  return (
    <div className={classes.hint}>
      <p className={classes.about}>
        {t('It runs whatever is answered to “{question}”. Run it only if the answer is:', { question })}
      </p>
      <div className={classes.hintButtons}>
        {answersOf(prompt).map(({ value, label }) => (
          <Button
            key={value}
            variant="default"
            size="xs"
            aria-label={t('Run it only if the answer is {label}', { label })}
            onClick={() => {
              step.set({
                when: [`actions.${prompt.id}.output.option`, JSON.stringify(value).replaceAll('"', "'")].join(' == '),
              });
              step.leave();
              announce(t('It runs only if the answer is {label}', { label }));
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

function answersOf(prompt: BuilderAction): { value: string; label: string }[] {
  const options = Array.isArray(prompt.options) ? prompt.options.map(objectOf) : [];
  // A value with a quote would need to be written otherwise; it can be typed.
  return options
    .map((option) => ({ value: textAt(option, 'value'), label: textAt(option, 'label') }))
    .filter(({ value }) => value !== '' && !/['"\\]/.test(value));
}
