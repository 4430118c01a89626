import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronLeft, IconCopy, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { EffectBadge } from '../../../../components/effect-badge.tsx';
import { StepIcon } from '../../../../components/flow/step-icon.tsx';
import { t } from '../../../../language/translate.ts';
import { useReader } from '../../../../ui/reader.ts';
import { Tip } from '../../../../ui/tip.tsx';
import { addSteps } from '../add-steps.ts';
import { useBuilder } from '../builder-context.ts';
import { ACTION_ID, type ActionKind, type BuilderAction, textAt, wordsOf } from '../document/builder-action.ts';
import { kindWords, stepLook } from '../graph/step-look.ts';
import { ActionFields } from './action-fields.tsx';
import { AnswerHint } from './answer-hint.tsx';
import { DelayFields } from './delay-fields.tsx';
import { ExpressionField } from './expression-field.tsx';
import classes from './form.module.css';
import { PromptFields } from './prompt-fields.tsx';
import { RunsAfter } from './runs-after.tsx';
import { SubPlaybookFields } from './sub-playbook-fields.tsx';
import { type Step, useStep } from './use-step.ts';

const EXAMPLE_CONDITION = "actions.ask.output.option == 'yes'";

/** Where the focus goes when a step is opened from the graph. */
export const STEP_TITLE_ID = 'step-title';

/** Everything about one step. */
export function StepForm({ action }: { action: BuilderAction }) {
  const step = useStep(action);
  return (
    <section className={classes.form} aria-labelledby={STEP_TITLE_ID}>
      <Head action={action} />
      <AnswerHint step={step} />
      <IdField key={action.id} step={step} />
      <KindFields kind={action.kind} step={step} />
      <section className={classes.section} aria-label={t('When it runs')}>
        <h3 className={classes.sectionTitle}>{t('When it runs')}</h3>
        <RunsAfter step={step} />
        <ExpressionField
          id={step.fieldId('when')}
          label={t('Only if')}
          bare
          actionId={action.id}
          help={t('A condition. Left empty, it always runs; not met, it is skipped.')}
          placeholder={EXAMPLE_CONDITION}
          problem={step.problemOf('when')}
          value={textAt(action, 'when')}
          onChange={(text) => step.set({ when: text === '' ? undefined : text })}
          onLeave={step.leave}
        />
      </section>
    </section>
  );
}

function KindFields({ kind, step }: { kind: ActionKind; step: Step }) {
  switch (kind) {
    case 'action':
      return <ActionFields step={step} />;
    case 'prompt':
      return <PromptFields step={step} />;
    case 'delay':
      return <DelayFields step={step} />;
    case 'playbook':
      return <SubPlaybookFields step={step} />;
  }
}

function Head({ action }: { action: BuilderAction }) {
  const builder = useBuilder();
  const { change, known, announce } = builder;
  const { locale } = useReader();
  const look = stepLook(action, known, locale);
  return (
    <div className={classes.head}>
      <span className={classes.headIcon}>
        <StepIcon kind={action.kind} />
      </span>
      <div className={classes.headWords}>
        <h2 id={STEP_TITLE_ID} tabIndex={-1} className={classes.title}>
          {look.name}
        </h2>
        <p className={classes.about}>
          {action.kind === 'action' ? look.note : kindWords[action.kind]}
          {look.effect === undefined ? null : (
            <>
              {' '}
              <EffectBadge effect={look.effect} variant="plain" />
            </>
          )}
        </p>
      </div>
      <span className={classes.headActions}>
        <Tip label={t('Duplicate (Ctrl+D)')}>
          <ActionIcon
            size={28}
            aria-label={t('Duplicate {name}', { name: look.name })}
            onClick={() => addSteps(builder, { type: 'duplicate', ids: [action.id] })}
          >
            <IconCopy size={16} aria-hidden />
          </ActionIcon>
        </Tip>
        <Tip label={t('Delete (Del)')}>
          <ActionIcon
            size={28}
            aria-label={t('Delete {name}', { name: look.name })}
            onClick={() => {
              change({ type: 'delete', ids: [action.id] });
              announce(t('{name} deleted', { name: look.name }));
            }}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tip>
        <Tip label={t('Back to the playbook')}>
          <ActionIcon
            size={28}
            aria-label={t('Back to the playbook')}
            onClick={() => change({ type: 'select', ids: [] })}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
        </Tip>
      </span>
    </div>
  );
}

/** The id is taken over when the field is left: every expression that names the step is rewritten with it. */
function IdField({ step }: { step: Step }) {
  const { document: doc, change, announce } = useBuilder();
  const { action } = step;
  const [typed, setTyped] = useState(action.id);
  const others = doc.definition.actions.filter(({ id }) => id !== action.id);
  const problem = idProblem(
    typed,
    others.map(({ id }) => id),
  );
  const keep = () => {
    if (typed === action.id || problem !== undefined) return;
    change({ type: 'rename', id: action.id, to: typed });
    announce(t('Renamed to {to}', { to: wordsOf(typed) }));
  };
  return (
    <TextInput
      id={step.fieldId('id')}
      label={t('Id')}
      description={t('How other steps refer to it. They follow when it changes.')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      classNames={{ input: 'air-mono' }}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      error={problem}
      onChange={(event) => setTyped(event.currentTarget.value.trim())}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') setTyped(action.id);
      }}
    />
  );
}

function idProblem(id: string, taken: readonly string[]): string | undefined {
  if (!ACTION_ID.test(id)) return t('Begin with a lower-case letter; then letters, digits and _.');
  return taken.includes(id) ? t('Another step has this id.') : undefined;
}
