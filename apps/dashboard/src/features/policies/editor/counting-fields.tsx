import type { PolicyLogic } from '@airdeck/contracts/policies/schema';
import { Autocomplete, Switch, TagsInput, TextInput } from '@mantine/core';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import { countingSentences } from '../criteria/counting-words.ts';
import type { DraftProblems } from '../draft/draft-problems.ts';
import { type PolicyDraft, withoutSequence, withSequence } from '../draft/policy-draft.ts';
import classes from './editor.module.css';
import { LengthField } from './length-field.tsx';
import { SequenceFields } from './sequence-fields.tsx';
import type { SourceChoices } from './source-choices.ts';

const EXAMPLE_FIELDS = 'src_ip, user, host …';

type Logic = PolicyDraft['logic'];
type Threshold = NonNullable<PolicyLogic['threshold']>;
type Props = {
  draft: PolicyDraft;
  choices: SourceChoices;
  fieldNames: readonly string[];
  problems: DraftProblems;
  onChange: (part: Partial<PolicyDraft>) => void;
};

const FIRST_THRESHOLD: Threshold = { count: 5, within_s: 300 };
const FIRST_QUIET_S = 3600;

/** How matches become cases: by which fields they belong together, how many it takes, and when it stays quiet. */
export function CountingFields({ draft, choices, fieldNames, problems, onChange }: Props) {
  const { logic } = draft;
  const { places } = problems;
  const set = (next: Logic) => onChange({ logic: next });
  const { threshold: _, ...withoutThreshold } = logic;
  const { suppress_for_s: quiet, ...withoutQuiet } = logic;
  return (
    <Panel title={t('When it opens a case')}>
      <div className={classes.fields}>
        <TagsInput
          data-place="group_by"
          label={t('One case per')}
          classNames={{ pill: classes.pill ?? '', inputField: classes.pillInput ?? '' }}
          description={t(
            'Events with the same values of these fields belong together. Without any, the policy has one case at a time.',
          )}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={logic.group_by.length === 0 ? EXAMPLE_FIELDS : ''}
          maxTags={5}
          limit={60}
          data={fieldNames.filter((name) => name !== '*')}
          value={logic.group_by}
          error={places.group_by}
          onChange={(group_by) => set({ ...logic, group_by: group_by.map((name) => name.trim()) })}
        />
        {logic.sequence === undefined ? (
          <Switch
            label={t('Only when several fit within a time')}
            checked={logic.threshold !== undefined}
            onChange={(event) =>
              set(event.currentTarget.checked ? { ...logic, threshold: FIRST_THRESHOLD } : withoutThreshold)
            }
          />
        ) : null}
        {logic.threshold === undefined ? null : (
          <ThresholdFields
            threshold={logic.threshold}
            fieldNames={fieldNames}
            problem={places.threshold}
            onChange={(threshold) => set({ ...logic, threshold })}
          />
        )}
        {logic.threshold === undefined ? (
          <Switch
            label={t('Only when steps follow each other')}
            description={t('Such as failures to sign in, and then a sign-in.')}
            checked={logic.sequence !== undefined}
            onChange={(event) => onChange(event.currentTarget.checked ? withSequence(draft) : withoutSequence(draft))}
          />
        ) : null}
        {logic.sequence === undefined ? null : (
          <SequenceFields
            logic={logic}
            sequence={logic.sequence}
            choices={choices}
            problems={problems}
            onChange={(sequence) => set({ ...logic, sequence })}
          />
        )}
        <Switch
          label={t('Stay quiet after a case')}
          checked={quiet !== undefined && quiet !== 0}
          onChange={(event) =>
            set(event.currentTarget.checked ? { ...logic, suppress_for_s: FIRST_QUIET_S } : withoutQuiet)
          }
        />
        {quiet === undefined || quiet === 0 ? null : (
          <div data-place="suppress">
            <LengthField
              label={t('Quiet for')}
              seconds={quiet}
              problem={places.suppress}
              onChange={(suppress_for_s) => set({ ...logic, suppress_for_s })}
            />
          </div>
        )}
        <div className={classes.sentences} role="status" aria-label={t('What will happen')}>
          {countingSentences(logic).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </div>
    </Panel>
  );
}

type ThresholdProps = {
  threshold: Threshold;
  fieldNames: readonly string[];
  problem: string | undefined;
  onChange: (threshold: Threshold) => void;
};

function ThresholdFields({ threshold, fieldNames, problem, onChange }: ThresholdProps) {
  const { distinct_field, ...counted } = threshold;
  return (
    <div className={classes.threshold} data-place="threshold">
      <TextInput
        label={distinct_field === undefined ? t('Events') : t('Different values')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={Number.isNaN(threshold.count) ? '' : String(threshold.count)}
        error={problem}
        onChange={(event) => {
          const text = event.currentTarget.value.trim();
          onChange({ ...threshold, count: /^\d+$/.test(text) ? Number(text) : Number.NaN });
        }}
      />
      <LengthField
        label={t('Within')}
        seconds={threshold.within_s}
        problem={undefined}
        onChange={(within_s) => onChange({ ...threshold, within_s })}
      />
      <Autocomplete
        label={t('Counting different values of')}
        placeholder={t('each event counts')}
        maxLength={200}
        limit={60}
        data={fieldNames.filter((name) => name !== '*')}
        value={distinct_field ?? ''}
        onChange={(name) => onChange(name.trim() === '' ? counted : { ...counted, distinct_field: name.trim() })}
      />
    </div>
  );
}
