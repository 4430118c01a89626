import { Checkbox } from '@mantine/core';
import { memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { EffectBadge } from '../../../components/effect-badge.tsx';
import { t } from '../../../language/translate.ts';
import { planRows, useRowsInSight } from '../../../ui/rows-in-sight.ts';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import classes from './import.module.css';
import { chosenOf, type Operation, type OperationRow, selectable } from './operation-rows.ts';

/** Pixels; the styles of the rows keep to them. */
const TAG_PX = 44;
const OPERATION_PX = { desktop: 52, phone: 104 };

type Props = {
  rows: readonly OperationRow[];
  chosen: ReadonlySet<string>;
  onChoose: (operations: readonly Operation[], isChosen: boolean) => void;
};

/** The operations of a document by tag; of thousands only those in sight are drawn. */
export function OperationList({ rows, chosen, onChoose }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const operationPx = OPERATION_PX[useIsPhone() ? 'phone' : 'desktop'];
  const plan = useMemo(
    () => planRows(rows.map(({ kind }) => (kind === 'tag' ? TAG_PX : operationPx))),
    [rows, operationPx],
  );
  const { from, to } = useRowsInSight(list, plan);
  const [usedId, setUsedId] = useState<string>();
  const used = rows.findIndex(({ id }) => id === usedId);
  const indices = new Set(Array.from({ length: to - from }, (_, index) => from + index));
  // What has the focus stays, with its neighbours, so that the keyboard goes on from where it was.
  if (used !== -1) for (const index of [used - 1, used, used + 1]) indices.add(index);
  return (
    <ul ref={list} className={classes.list} style={{ height: plan.height }} aria-label={t('Operations')}>
      {[...indices]
        .toSorted((one, other) => one - other)
        .map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={row.id}
              className={row.kind === 'tag' ? classes.tag : classes.operation}
              style={{ top: plan.tops[index] }}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              onFocus={() => setUsedId(row.id)}
            >
              {row.kind === 'tag' ? (
                <TagBox row={row} chosen={chosen} onChoose={onChoose} />
              ) : (
                <OperationBox operation={row.operation} isChosen={chosen.has(row.id)} onChoose={onChoose} />
              )}
            </li>
          );
        })}
    </ul>
  );
}

type TagProps = { row: Extract<OperationRow, { kind: 'tag' }> } & Omit<Props, 'rows'>;

function TagBox({ row: { label, operations }, chosen, onChoose }: TagProps) {
  const state = chosenOf(operations, chosen);
  return (
    <Checkbox
      classNames={{ body: classes.boxBody ?? '', labelWrapper: classes.boxWords ?? '' }}
      size="xs"
      checked={state === 'all'}
      indeterminate={state === 'some'}
      disabled={selectable(operations).length === 0}
      aria-label={t('All of {label}##operations', { label })}
      label={
        <span className={classes.tagName}>
          {label}
          <span className={classes.faint}>{operations.length}</span>
        </span>
      }
      onChange={() => onChoose(operations, state !== 'all')}
    />
  );
}

type OperationProps = { operation: Operation; isChosen: boolean; onChoose: Props['onChoose'] };

/** Memoised: of a hundred in sight only the one that was clicked is drawn again. */
const OperationBox = memo(function OperationBox({ operation, isChosen, onChoose }: OperationProps) {
  const { key, summary, description, deprecated, effect, unsupported } = operation;
  return (
    <>
      <Checkbox
        className={classes.box ?? ''}
        classNames={{ body: classes.boxBody ?? '', labelWrapper: classes.boxWords ?? '' }}
        size="xs"
        checked={isChosen}
        disabled={unsupported !== null}
        aria-label={summary === key ? key : `${summary}, ${key}`}
        label={
          <Words
            name={summary}
            title={description === '' ? summary : description}
            under={unsupported === null ? key : `${key} · ${unsupported}`}
            deprecated={deprecated}
          />
        }
        onChange={(event) => onChoose([operation], event.currentTarget.checked)}
      />
      <EffectBadge effect={effect} variant="plain" />
    </>
  );
});

type WordsProps = { name: string; title: string; under: string; deprecated: boolean };

function Words({ name, title, under, deprecated }: WordsProps): ReactNode {
  return (
    <>
      <span className={classes.line} title={title}>
        {name}
        {deprecated ? <span className={classes.deprecated}> {t('deprecated##operation')}</span> : null}
      </span>
      <span className={`${classes.line} ${classes.under} air-mono`} title={under}>
        {under}
      </span>
    </>
  );
}
