import type { PlaybookVersion } from '@airdeck/contracts/playbooks/schema';
import { NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import { writeYaml } from '../builder/document/definition-yaml.ts';
import classes from './detail.module.css';
import { type DiffPart, diffParts } from './diff-parts.ts';

type Props = {
  versions: readonly PlaybookVersion[];
  from: number;
  to: number;
  onChoose: (from: number, to: number) => void;
};

/** What changed from one version to another, line by line of their YAML. */
export function VersionDiff({ versions, from, to, onChoose }: Props) {
  const parts = useMemo(() => diffParts(yamlOf(versions, from), yamlOf(versions, to)), [versions, from, to]);
  const options = versions.map(({ version }) => ({
    value: String(version),
    label: t('Version {version}', { version }),
  }));
  const label = t('Changes from version {from} to version {to}', { from, to });
  const added = count(parts, 'added');
  const removed = count(parts, 'removed');
  return (
    <Panel title={t('What changed')} flush>
      <div className={classes.diffBar}>
        <NativeSelect
          label={t('From')}
          value={String(from)}
          data={options}
          onChange={(event) => onChoose(Number(event.currentTarget.value), to)}
        />
        <NativeSelect
          label={t('To##version')}
          value={String(to)}
          data={options}
          onChange={(event) => onChoose(from, Number(event.currentTarget.value))}
        />
        <span className={classes.diffCount} role="status">
          {added === 0 && removed === 0
            ? t('They are the same.')
            : t('{added} added, {removed} removed', { added: lines(added), removed: lines(removed) })}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.diff} aria-label={label} tabIndex={0}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity; another comparison draws them anew
          <Part key={index} part={part} />
        ))}
      </section>
    </Panel>
  );
}

const marks = { added: '+', removed: '−', same: ' ' } as const;
const elements = { added: 'ins', removed: 'del', same: 'div' } as const;

function Part({ part }: { part: DiffPart }) {
  if (part.kind === 'folded') {
    return (
      <div className={classes.folded}>{plural(part.lines, '{count} line as before', '{count} lines as before')}</div>
    );
  }
  const Element = elements[part.kind];
  return (
    <Element className={classes.diffPart} data-kind={part.kind}>
      {part.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
        <span key={index} className={classes.diffLine}>
          <span className={classes.mark} aria-hidden>
            {marks[part.kind]}
          </span>
          {line}
          {'\n'}
        </span>
      ))}
    </Element>
  );
}

function yamlOf(versions: readonly PlaybookVersion[], number: number): string {
  const found = versions.find(({ version }) => version === number);
  return found === undefined ? '' : writeYaml(found.definition);
}

function count(parts: readonly DiffPart[], kind: 'added' | 'removed'): number {
  return parts.reduce((sum, part) => sum + (part.kind === kind ? part.lines.length : 0), 0);
}

function lines(number: number): string {
  return plural(number, '{count} line', '{count} lines');
}
