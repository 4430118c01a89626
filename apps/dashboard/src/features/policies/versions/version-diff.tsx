import type { PolicyVersion } from '@airdeck/contracts/policies/schema';
import { useMemo } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { ruleText } from '../draft/policy-draft.ts';
import { diffRows } from './rule-diff.ts';
import classes from './versions.module.css';

const marks = { added: '+', removed: '−', same: ' ' } as const;
const elements = { added: 'ins', removed: 'del', same: 'div' } as const;

type Props = { before: PolicyVersion | undefined; version: PolicyVersion };

/** What changed with a version, line by line of its JSON. */
export function VersionDiff({ before, version }: Props) {
  const rows = useMemo(
    () => diffRows(before === undefined ? '' : ruleText(before.rule), ruleText(version.rule)),
    [before, version],
  );
  if (rows.every(({ kind }) => kind === 'left_out')) {
    return <p className={classes.same}>{t('The rule stayed as it was.')}</p>;
  }
  return (
    <section
      className={classes.diff}
      aria-label={t('Changes of version {version}', { version: version.version })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {rows.map((row, index) => {
        if (row.kind === 'left_out') {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity; another comparison draws them anew
            <div key={index} className={classes.leftOut}>
              {plural(row.count, '{count} line as before', '{count} lines as before')}
            </div>
          );
        }
        const Element = elements[row.kind];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity; another comparison draws them anew
          <Element key={index} className={classes.diffRow} data-kind={row.kind}>
            <span className={classes.mark} aria-hidden>
              {marks[row.kind]}
            </span>
            {row.text}
          </Element>
        );
      })}
    </section>
  );
}
