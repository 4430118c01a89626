import type { FieldCriterion } from '@airdeck/contracts/policies/schema';
import { Autocomplete, Menu, NativeSelect } from '@mantine/core';
import { useId } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './criteria.module.css';
import { useCriteria } from './criteria-context.ts';
import { changeField, type FieldNode } from './criteria-tree.ts';
import { MenuChoice, NodeMenu } from './node-menu.tsx';
import { OperandField } from './operand-field.tsx';
import { operators, operatorTable, valuesOf, withOperator } from './operators.ts';

const choices = operators.map((operator) => ({ value: operator, label: operatorTable[operator].words }));

/** One condition: field, comparison, values. */
export function FieldRow({ node, place }: { node: FieldNode; place: string }) {
  const { root, change, problems, fieldNames } = useCriteria();
  const problemId = useId();
  const { criterion } = node;
  const problem = problems.get(node.id);
  const name = t('condition {place}', { place });
  const set = (next: FieldCriterion) => change(changeField(root, node.id, next));
  const noField = criterion.field.trim() === '';
  return (
    <div className={classes.row} data-node={node.id}>
      <div className={classes.parts} data-operand={operatorTable[criterion.operator].operand}>
        <Autocomplete
          className={classes.field ?? ''}
          classNames={{ input: classes.mono ?? '' }}
          aria-label={t('Field of {name}', { name })}
          aria-describedby={problem === undefined ? undefined : problemId}
          placeholder={t('field')}
          data-part="field"
          maxLength={200}
          limit={60}
          data={[...fieldNames]}
          renderOption={({ option }) => (
            <span className={classes.mono}>{option.value === '*' ? t('* (any field)') : option.value}</span>
          )}
          value={criterion.field}
          error={problem !== undefined && noField}
          onChange={(field) => set({ ...criterion, field })}
        />
        <NativeSelect
          className={classes.operator ?? ''}
          aria-label={t('Comparison of {name}', { name })}
          data={choices}
          value={criterion.operator}
          onChange={(event) => {
            const operator = operators.find((each) => each === event.currentTarget.value);
            if (operator !== undefined) set(withOperator(criterion, operator));
          }}
        />
        <OperandField criterion={criterion} name={name} problem={problem !== undefined && !noField} onChange={set} />
        <NodeMenu id={node.id} name={name}>
          <FieldChoices criterion={criterion} onChange={set} />
        </NodeMenu>
      </div>
      <Notes criterion={criterion} />
      {problem === undefined ? null : (
        <p id={problemId} className={classes.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

type ChoicesProps = { criterion: FieldCriterion; onChange: (criterion: FieldCriterion) => void };

/** What only some comparisons know. */
function FieldChoices({ criterion, onChange }: ChoicesProps) {
  const { operand, comparesFields } = operatorTable[criterion.operator];
  if (operand !== 'texts') return null;
  const { value: _, value_field, case_sensitive, match, ...rest } = criterion;
  const sensitive = case_sensitive === true ? { case_sensitive } : {};
  return (
    <>
      <MenuChoice
        on={case_sensitive === true}
        onToggle={() => {
          const { case_sensitive: __, ...without } = criterion;
          onChange(case_sensitive === true ? without : { ...criterion, case_sensitive: true });
        }}
      >
        {t('Same case')}
      </MenuChoice>
      {value_field === undefined && valuesOf(criterion).length > 1 ? (
        <MenuChoice
          on={match === 'all'}
          onToggle={() => {
            const { match: __, ...without } = criterion;
            onChange(match === 'all' ? without : { ...criterion, match: 'all' });
          }}
        >
          {t('Every value must fit')}
        </MenuChoice>
      ) : null}
      {comparesFields === true ? (
        <MenuChoice
          on={value_field !== undefined}
          onToggle={() =>
            onChange(value_field === undefined ? { ...rest, ...sensitive, value_field: '' } : { ...rest, ...sensitive })
          }
        >
          {t('Compare with another field')}
        </MenuChoice>
      ) : null}
      <Menu.Divider />
    </>
  );
}

/** What is set in the menu, where it shows. */
function Notes({ criterion: { case_sensitive, match, value_field } }: { criterion: FieldCriterion }) {
  const notes = [
    ...(value_field === undefined ? [] : [t('compared with another field of the event')]),
    ...(case_sensitive === true ? [t('same case')] : []),
    ...(match === 'all' ? [t('every value must fit')] : []),
  ];
  return notes.length === 0 ? null : <p className={classes.notes}>{notes.join(' · ')}</p>;
}
