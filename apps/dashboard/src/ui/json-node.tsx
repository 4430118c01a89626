import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { plural } from '../language/plural.ts';
import { t } from '../language/translate.ts';
import { CopyButton } from './copy-button.tsx';
import { childPath, childrenOf } from './json-paths.ts';
import classes from './json-tree.module.css';

const OPEN_DEPTH = 2;
const MANY_CHILDREN = 100;
const LONG_TEXT = 300;

type Props = {
  name: string | number | undefined;
  value: unknown;
  path: string;
  depth: number;
  /** Paths a search found; undefined when nothing is searched. */
  shown: ReadonlySet<string> | undefined;
};

export function JsonNode(props: Props) {
  const { value, path, shown } = props;
  if (shown !== undefined && !shown.has(path)) return null;
  return typeof value === 'object' && value !== null ? <Branch {...props} /> : <Leaf {...props} />;
}

function Branch({ name, value, path, depth, shown }: Props) {
  const [chosen, setChosen] = useState<boolean>();
  const [all, setAll] = useState(false);
  const children = childrenOf(value);
  const open = chosen ?? (shown !== undefined || depth < OPEN_DEPTH);
  const visible = all || shown !== undefined ? children : children.slice(0, MANY_CHILDREN);
  const [before, after] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (children.length === 0)
    return <Leaf name={name} value={`${before}${after}`} path={path} depth={depth} shown={shown} plain />;
  return (
    <div className={classes.branch}>
      <UnstyledButton className={classes.toggle} aria-expanded={open} onClick={() => setChosen(!open)}>
        <IconChevronRight size={14} className={classes.chevron} data-open={open || undefined} aria-hidden />
        {name === undefined ? null : <span className={classes.key}>{name}</span>}
        <span className={classes.faint}>
          {Array.isArray(value)
            ? plural(children.length, '{count} item', '{count} items')
            : plural(children.length, '{count} key', '{count} keys')}
        </span>
      </UnstyledButton>
      {open ? (
        <div className={classes.children}>
          {visible.map(([key, child]) => (
            <JsonNode key={key} name={key} value={child} path={childPath(path, key)} depth={depth + 1} shown={shown} />
          ))}
          {visible.length < children.length ? (
            <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
              {t('Show {value} more', { value: children.length - visible.length })}
            </UnstyledButton>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Leaf({ name, value, path, plain = false }: Props & { plain?: boolean }) {
  const [whole, setWhole] = useState(false);
  const text = typeof value === 'string' ? value : String(value);
  const folded = text.length > LONG_TEXT && !whole;
  return (
    <div className={classes.leaf}>
      {name === undefined ? null : <span className={classes.key}>{name}</span>}
      <span className={classes.value} data-kind={plain ? 'plain' : value === null ? 'null' : typeof value}>
        {folded ? `${text.slice(0, LONG_TEXT)}…` : text}
        {folded ? (
          <UnstyledButton className={classes.more} onClick={() => setWhole(true)}>
            {t('Show all {count} characters', { count: text.length })}
          </UnstyledButton>
        ) : null}
      </span>
      <span className={classes.copy}>
        <CopyButton value={text} label={t('Copy value of {path}', { path })} />
      </span>
    </div>
  );
}
