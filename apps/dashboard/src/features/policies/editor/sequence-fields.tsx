import { POLICY_STEPS_MAX } from '@airdeck/contracts/policies/schema';
import { ActionIcon, Button, Switch, TagsInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { CriteriaEditor } from '../criteria/criteria-editor.tsx';
import { useFieldNames } from '../criteria/use-field-names.ts';
import type { DraftProblems } from '../draft/draft-problems.ts';
import { type PolicyDraft, sourceOf, sourcesOf } from '../draft/policy-draft.ts';
import { FEWEST_STEPS, movedStep, newStep, type SequenceDraft, type StepDraft } from '../draft/sequence-draft.ts';
import classes from './editor.module.css';
import { LengthField } from './length-field.tsx';
import type { SourceChoices } from './source-choices.ts';
import { SourceList } from './source-fields.tsx';

type Props = {
  logic: PolicyDraft['logic'];
  sequence: SequenceDraft;
  choices: SourceChoices;
  problems: DraftProblems;
  onChange: (sequence: SequenceDraft) => void;
};

/** The steps a group has to go through, and how long it may take. */
export function SequenceFields({ logic, sequence, choices, problems, onChange }: Props) {
  const { steps } = sequence;
  const { any_order: _, ...inOrder } = sequence;
  const setSteps = (next: readonly StepDraft[]) => onChange({ ...sequence, steps: next });
  return (
    <div className={classes.fields} data-place="sequence">
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.criteria.id}>
            <StepFields
              step={step}
              number={index + 1}
              logic={logic}
              choices={choices}
              problems={problems}
              onChange={(next) => setSteps(steps.with(index, next))}
              onMove={(by) => setSteps(movedStep(steps, index, by))}
              onRemove={() => setSteps(steps.toSpliced(index, 1))}
              place={{
                isFirst: index === 0,
                isLast: index === steps.length - 1,
                isNeeded: steps.length <= FEWEST_STEPS,
              }}
            />
          </li>
        ))}
      </ol>
      {problems.places.sequence === undefined ? null : <p className={classes.problem}>{problems.places.sequence}</p>}
      {steps.length < POLICY_STEPS_MAX ? (
        <Button
          size="compact-xs"
          variant="subtle"
          className={classes.stepAdder ?? ''}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setSteps([...steps, newStep()])}
        >
          {t('Further step')}
        </Button>
      ) : null}
      <LengthField
        label={t('All steps within')}
        seconds={sequence.within_s}
        problem={undefined}
        onChange={(within_s) => onChange({ ...sequence, within_s })}
      />
      <Switch
        label={t('In any order')}
        checked={sequence.any_order === true}
        onChange={(event) => onChange(event.currentTarget.checked ? { ...inOrder, any_order: true } : inOrder)}
      />
    </div>
  );
}

type StepProps = {
  step: StepDraft;
  number: number;
  logic: PolicyDraft['logic'];
  choices: SourceChoices;
  problems: DraftProblems;
  place: { isFirst: boolean; isLast: boolean; isNeeded: boolean };
  onChange: (step: StepDraft) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

function StepFields({ step, number, logic, choices, problems, place, onChange, onMove, onRemove }: StepProps) {
  const { source, group_by: names, ...common } = step;
  const fieldNames = useFieldNames(sourcesOf(source === undefined ? logic : { source }));
  const named = names === undefined ? {} : { group_by: names };
  const from = source === undefined ? {} : { source };
  return (
    <section className={classes.step} aria-label={t('Step {number}', { number })}>
      <div className={classes.stepHead}>
        <h3>{t('Step {number}', { number })}</h3>
        <ActionIcon
          aria-label={t('Move step {number} up', { number })}
          disabled={place.isFirst}
          onClick={() => onMove(-1)}
        >
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label={t('Move step {number} down', { number })}
          disabled={place.isLast}
          onClick={() => onMove(1)}
        >
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label={t('Remove step {number}', { number })} disabled={place.isNeeded} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      <CriteriaEditor
        root={step.criteria}
        problems={problems.nodes}
        fieldNames={fieldNames}
        withoutHint
        onChange={(criteria) => onChange({ ...step, criteria })}
      />
      <Switch
        label={t('In events of another source')}
        checked={source !== undefined}
        onChange={(event) =>
          onChange(
            event.currentTarget.checked ? { ...common, ...named, source: logic.source } : { ...common, ...named },
          )
        }
      />
      {source === undefined ? null : (
        <SourceList
          sources={sourcesOf({ source })}
          choices={choices}
          onChange={(sources) => onChange({ ...step, source: sourceOf(sources) })}
        />
      )}
      {logic.group_by.length === 0 ? null : (
        <TagsInput
          label={t('What its events call {fields}', { fields: logic.group_by.join(', ') })}
          classNames={{ pill: classes.pill ?? '', inputField: classes.pillInput ?? '' }}
          placeholder={names === undefined ? t('the same') : ''}
          maxTags={logic.group_by.length}
          limit={60}
          data={fieldNames.filter((name) => name !== '*')}
          value={names ?? []}
          onChange={(next) =>
            onChange({
              ...common,
              ...from,
              ...(next.length === 0 ? {} : { group_by: next.map((name) => name.trim()) }),
            })
          }
        />
      )}
    </section>
  );
}
