import type { JsonObject } from '@airdeck/contracts/fields';
import { t } from '../../../language/translate.ts';
import classes from './definition.module.css';
import { inputRows } from './input-rows.ts';

/** Inputs of a playbook: name, type, meaning. */
export function InputsTable({ schema }: { schema: JsonObject }) {
  const rows = inputRows(schema);
  if (rows.length === 0) return <p className={classes.words}>{t('It takes none.')}</p>;
  return (
    <dl className={classes.inputs}>
      {rows.map(({ name, label, type, required, help, byDefault }) => (
        <div key={name} className={classes.input}>
          <dt>
            <span className="air-mono">{name}</span>
            <span className={classes.faint}>{required ? t('{type}, required', { type }) : type}</span>
          </dt>
          <dd>
            {help ?? label}
            {byDefault === undefined ? null : (
              <span className={classes.faint}> {t('Otherwise {value}.', { value: byDefault })}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
