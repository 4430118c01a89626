import type { JsonObject } from '@airdeck/contracts/fields';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { fieldId, formFields } from './form-schema.ts';
import classes from './schema-form.module.css';
import type { SchemaProblem } from './schema-problems.ts';

type Props = { schema: JsonObject; problems: readonly SchemaProblem[]; idPrefix: string };

/** All problems of a form that was not taken, above it, each leading to its field. Nothing when there are none. */
export function ProblemSummary({ schema, problems, idPrefix }: Props) {
  if (problems.length === 0) return null;
  const fields = formFields(schema);
  return (
    <section className={classes.summary} aria-label={t('What is left to correct')}>
      <p className={classes.summaryTitle}>
        {plural(problems.length, 'One field needs another look.', '{count} fields need another look.')}
      </p>
      <ul className={classes.summaryList}>
        {problems.map(({ path, message }) => {
          const label = fields.find(({ name }) => path === name || path.startsWith(`${name}.`))?.label ?? path;
          return (
            <li key={`${path} ${message}`}>
              <button type="button" className={classes.summaryLink} onClick={() => focusField(idPrefix, path)}>
                {label}
              </button>
              {': '}
              {message}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Sends the focus to the first field that has a problem, in the order of the form; a problem of no field moves nothing. */
export function focusFirstProblem(schema: JsonObject, problems: readonly SchemaProblem[], idPrefix: string): void {
  const order = formFields(schema).map(({ name }) => name);
  const place = ({ path }: SchemaProblem) => {
    const at = order.indexOf(path.split('.')[0] ?? '');
    return at === -1 ? order.length : at;
  };
  const first = problems.toSorted((a, b) => place(a) - place(b))[0];
  if (first !== undefined) focusField(idPrefix, first.path);
}

/** The field itself, or the nearest around it: entries of a list have none of their own. */
function focusField(idPrefix: string, path: string): void {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const control = document.getElementById(fieldId(idPrefix, at));
    control?.focus();
    if (control !== null) return;
  }
}
