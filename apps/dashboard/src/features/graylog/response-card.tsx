import type { JsonObject } from '@airdeck/contracts/fields';
import { ActionIcon, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { type FieldProblem, problemsAt } from '../../components/expression/field-problems.ts';
import { InputFields } from '../../components/expression/input-fields.tsx';
import type { ReferenceGroup } from '../../components/expression/references.ts';
import { formFields } from '../../components/schema-form/form-schema.ts';
import { useInputSchema } from '../../components/what-starts/use-input-schema.ts';
import { WhatFields } from '../../components/what-starts/what-fields.tsx';
import { t } from '../../language/translate.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './graylog.module.css';
import type { ResponseDraft } from './rule-draft.ts';

type Props = {
  response: ResponseDraft;
  /** From 0. */
  index: number;
  count: number;
  /** What it is called while nobody named it. */
  standardName: string;
  problems: readonly FieldProblem[];
  references: () => readonly ReferenceGroup[];
  onChange: (part: Partial<ResponseDraft>) => void;
  /** Undefined where there is only one. */
  onMove: ((by: -1 | 1) => void) | undefined;
  onRemove: (() => void) | undefined;
};

/** One thing an automation starts: a playbook or an action, with what it gets from the alert. */
export function ResponseCard(props: Props) {
  const { response, index, count, problems, onChange, onMove, onRemove } = props;
  const title =
    count === 1 ? t('What it starts') : `${index + 1}. ${response.name || props.standardName || t('Response')}`;
  const idPrefix = `rule-responses.${index}`;
  const schema = useInputSchema(response);
  return (
    <Panel
      title={title}
      aside={
        count === 1 ? undefined : (
          <span className={classes.cardButtons}>
            <ActionIcon
              size={28}
              variant="subtle"
              aria-label={t('Start {name} earlier', { name: title })}
              disabled={index === 0}
              onClick={() => onMove?.(-1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              size={28}
              variant="subtle"
              aria-label={t('Start {name} later', { name: title })}
              disabled={index === count - 1}
              onClick={() => onMove?.(1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon
              size={28}
              variant="subtle"
              aria-label={t('Remove {name}', { name: title })}
              onClick={() => onRemove?.()}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </span>
        )
      }
    >
      <div className={classes.sections}>
        <WhatFields
          draft={response}
          problems={withUnknownTitle(response, problems)}
          idPrefix={idPrefix}
          onChange={onChange}
        />
        <TextInput
          id={`${idPrefix}.name`}
          label={t('Name of the response')}
          description={t('How runs and the history call it.')}
          placeholder={props.standardName}
          maxLength={100}
          value={response.name}
          error={problemsAt(problems, 'name')[0]?.message}
          onChange={({ currentTarget: { value } }) => onChange({ name: value })}
        />
        {schema === undefined ? null : <Inputs {...props} schema={schema} idPrefix={idPrefix} />}
      </div>
    </Panel>
  );
}

/** Until something is chosen instead, what the address asked for is why nothing is. */
function withUnknownTitle(
  { type, definitionId, unknownTitle }: ResponseDraft,
  problems: readonly FieldProblem[],
): readonly FieldProblem[] {
  if (unknownTitle === undefined || type !== 'playbook' || definitionId !== '') return problems;
  return [
    { field: 'definition_id', message: t('No playbook is called “{title}”.', { title: unknownTitle }) },
    ...problems,
  ];
}

type InputsProps = Pick<Props, 'response' | 'problems' | 'references' | 'onChange'> & {
  schema: JsonObject;
  idPrefix: string;
};

function Inputs({ response, problems, references, onChange, schema, idPrefix }: InputsProps) {
  if (formFields(schema).length === 0) return <p className={classes.words}>{t('It takes no input.')}</p>;
  return (
    <section>
      <h3 className={classes.sectionTitle}>
        {response.type === 'action' ? t('What the action gets') : t('What the playbook gets')}
      </h3>
      <InputFields
        // Fields of something else start as they are there.
        key={response.definitionId}
        schema={schema}
        value={response.inputs}
        references={references}
        problems={problems}
        under="inputs"
        idPrefix={`${idPrefix}-inputs`}
        expressionsFirst
        onChange={(inputs) => onChange({ inputs })}
        onLeave={() => undefined}
      />
    </section>
  );
}
