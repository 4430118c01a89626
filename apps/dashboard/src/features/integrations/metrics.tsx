import type { JsonObject } from '@airdeck/contracts/fields';
import { t } from '../../language/translate.ts';
import { fileSize } from '../../lib/file-download.ts';
import { Count } from '../../ui/count.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { type Fact, KeyFacts } from '../../ui/key-facts.tsx';
import classes from './integrations.module.css';

const BYTES = '_bytes';

/** Figures of a system, by their names; what is not plain figures is shown as it came. */
export function Metrics({ values }: { values: JsonObject }) {
  const facts = metricFacts(values);
  return facts === undefined ? (
    <JsonTree value={values} label={t('Figures of the system')} />
  ) : (
    <div className={classes.standing}>
      <KeyFacts facts={facts} />
    </div>
  );
}

/** Undefined when there is more to it than numbers and what the system did not say. */
function metricFacts(values: JsonObject): Fact[] | undefined {
  const facts: Fact[] = [];
  for (const [name, value] of Object.entries(values).toSorted(([a], [b]) => a.localeCompare(b))) {
    if (value !== null && typeof value !== 'number') return undefined;
    const inBytes = name.endsWith(BYTES);
    facts.push({
      label: wordsOf(inBytes ? name.slice(0, -BYTES.length) : name),
      value: value === null ? null : inBytes ? fileSize(value) : <Count value={value} />,
    });
  }
  return facts;
}

/** `journal_entries_waiting` is "Journal entries waiting". */
function wordsOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
