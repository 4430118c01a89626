import { Button } from '@mantine/core';
import { ExpressionField } from '../../components/expression/expression-field.tsx';
import type { ReferenceGroup } from '../../components/expression/references.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import classes from './automation.module.css';
import { conditionWords } from './condition-words.ts';

type Props = {
  value: string;
  problem: string | undefined;
  references: () => readonly ReferenceGroup[];
  onChange: (value: string) => void;
};

const EXAMPLE = 'case.severity == "high"';

/** What people ask for most, as the expression it is. */
const common = [
  { label: t('High and critical only'), expression: 'case.severity in ["high", "critical"]' },
  { label: t('Critical only'), expression: 'case.severity == "critical"' },
  { label: t('A user is named'), expression: 'event.user != ""' },
] as const;

/** Which cases it answers: every one, or those a condition holds for, said in words as far as words can say it. */
export function ConditionField({ value, problem, references, onChange }: Props) {
  const words = conditionWords(value.trim());
  const empty = value.trim() === '';
  return (
    <div className={classes.stack}>
      <ExpressionField
        id="automation-conditions"
        label={t('Only if')}
        bare
        references={references}
        help={t(
          'Left empty, it answers every case of the policy. Where a field may be missing, ask has(event.fields.name) first.',
        )}
        placeholder={EXAMPLE}
        problem={problem}
        value={value}
        onChange={onChange}
        onLeave={() => undefined}
      />
      {empty ? (
        <div className={classes.chips}>
          {common.map(({ label, expression }) => (
            <Button key={label} size="compact-xs" variant="default" onClick={() => onChange(expression)}>
              {label}
            </Button>
          ))}
        </div>
      ) : words === undefined ? null : (
        <p className={classes.words}>{tx('In words: only if {condition}.', { condition: <strong>{words}</strong> })}</p>
      )}
    </div>
  );
}
