import classes from './case-list.module.css';
import { valueText } from './value-text.ts';

const SHOWN = 2;

/** What a case is about in one line: the values its policy grouped by. */
export function GroupValues({ values }: { values: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(values).map(([name, value]) => ({ name, text: valueText(value) }));
  if (entries.length === 0) return <span className={classes.faint}>–</span>;
  const more = entries.length - SHOWN;
  return (
    <span
      className={`${classes.values} air-mono`}
      title={entries.map(({ name, text }) => `${name}: ${text}`).join('\n')}
    >
      {entries
        .slice(0, SHOWN)
        .map(({ text }) => text)
        .join(' · ')}
      {more > 0 ? ` +${more}` : ''}
    </span>
  );
}
