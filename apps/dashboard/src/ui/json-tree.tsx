import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { plural } from '../language/plural.ts';
import { t } from '../language/translate.ts';
import { CopyButton } from './copy-button.tsx';
import { JsonNode } from './json-node.tsx';
import { hasLeaves, matchingPaths } from './json-paths.ts';
import classes from './json-tree.module.css';

/** From this many values on a search is offered; fewer are seen at a glance. */
const SEARCHED_LEAVES = 10;

type Props = {
  value: unknown;
  /** Accessible name of the tree. */
  label: string;
};

/** A JSON value as a collapsible tree with search, and copying of values and paths. */
export function JsonTree({ value, label }: Props) {
  const [query, setQuery] = useState('');
  const found = useMemo(() => (query.trim() === '' ? undefined : matchingPaths(value, query.trim())), [value, query]);
  const copy = <CopyButton value={JSON.stringify(value, undefined, 2) ?? ''} label={t('Copy as JSON')} />;
  return (
    <div className={classes.root}>
      {hasLeaves(value, SEARCHED_LEAVES) ? (
        <div className={classes.bar}>
          <TextInput
            className={classes.search}
            size="xs"
            aria-label={t('Search in {label}', { label })}
            placeholder={t('Search keys and values')}
            value={query}
            leftSection={<IconSearch size={14} aria-hidden />}
            rightSection={
              query === '' ? null : (
                <CloseButton size="xs" aria-label={t('Clear search')} onClick={() => setQuery('')} />
              )
            }
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          {found === undefined ? null : (
            <span className={classes.count} role="status">
              {plural(found.matches, '{count} match', '{count} matches')}
            </span>
          )}
          {copy}
        </div>
      ) : (
        <div className={classes.corner}>{copy}</div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.tree} aria-label={label} tabIndex={0}>
        <JsonNode name={undefined} value={value} path="$" depth={0} shown={found?.paths} />
      </section>
    </div>
  );
}
