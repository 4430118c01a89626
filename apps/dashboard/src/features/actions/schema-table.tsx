import type { JsonObject } from '@airdeck/contracts/fields';
import { t } from '../../language/translate.ts';
import parts from '../../ui/panel-parts.module.css';
import classes from './actions.module.css';
import { SCHEMA_ROWS_MAX, schemaRows } from './schema-rows.ts';

type Props = { title: string; schema: JsonObject; nothing: string };

/** What an action takes or gives, field by field. */
export function SchemaTable({ title, schema, nothing }: Props) {
  const rows = schemaRows(schema);
  if (rows.length === 0) {
    return (
      <section>
        <h3 className={parts.title}>{title}</h3>
        <p className={classes.words}>{nothing}</p>
      </section>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard
    <section className={classes.schema} aria-label={title} tabIndex={0}>
      <h3 className={parts.title}>{title}</h3>
      <table className={classes.schemaTable}>
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            <th scope="col">{t('Type')}</th>
            <th scope="col">{t('Meaning')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, type, required, text }) => (
            <tr key={path}>
              <td className="air-mono">{path}</td>
              <td>
                {type} {required ? <span className={classes.required}>{t('required')}</span> : null}
              </td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < SCHEMA_ROWS_MAX ? null : (
        <p className={classes.words}>{t('The first {SCHEMA_ROWS_MAX} fields.', { SCHEMA_ROWS_MAX })}</p>
      )}
    </section>
  );
}
