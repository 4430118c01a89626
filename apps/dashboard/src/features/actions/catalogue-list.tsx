import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { EffectBadge } from '../../components/effect-badge.tsx';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { planRows, type RowRange, useRowsInSight } from '../../ui/rows-in-sight.ts';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import classes from './actions.module.css';
import type { CatalogueRow } from './catalogue-rows.ts';

/** Pixels; the styles of the rows keep to them. */
const PRODUCT_PX = 44;
const ACTION_PX = 56;

type Props = {
  rows: readonly CatalogueRow[];
  /** Integrations of which a connector is set up; undefined while that is not known. */
  connected: ReadonlySet<string> | undefined;
  openId: string | undefined;
  onOpen: (actionId: string) => void;
};

/** The catalogue; of a thousand entries only those in sight are drawn. `j` and `k` walk it, `enter` opens. */
export function CatalogueList({ rows, connected, openId, onOpen }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const plan = useMemo(() => planRows(rows.map(({ kind }) => (kind === 'product' ? PRODUCT_PX : ACTION_PX))), [rows]);
  const inSight = useRowsInSight(list, plan);
  const [usedId, setUsedId] = useState<string>();
  const active = activeIndex(rows, usedId ?? openId);
  const open = useLatest(onOpen);
  useRowKeys(list, rows.length > 0);
  return (
    <ul ref={list} className={classes.list} style={{ height: plan.height }} aria-label={t('Actions by product')}>
      {drawn(rows, inSight, active).map((index) => {
        const row = rows[index];
        if (row === undefined) return null;
        const place = { top: plan.tops[index] ?? 0, position: index + 1, of: rows.length };
        return row.kind === 'product' ? (
          <ProductRow key={row.id} label={row.label} count={row.count} {...place} />
        ) : (
          <ActionRow
            key={row.id}
            action={row.action}
            unconnected={row.action.requires_connector && connected?.has(row.action.definition_id) === false}
            isOpen={row.id === openId}
            inTabOrder={index === active}
            onOpen={open}
            onUse={setUsedId}
            {...place}
          />
        );
      })}
    </ul>
  );
}

/** The one row in the tab order: the one used last, or the first. */
function activeIndex(rows: readonly CatalogueRow[], id: string | undefined): number {
  const used = rows.findIndex((row) => row.id === id);
  return used === -1 ? rows.findIndex(({ kind }) => kind === 'action') : used;
}

/** What is in sight, and the active row with the next one on each side, so that keys work wherever it is. */
function drawn(rows: readonly CatalogueRow[], { from, to }: RowRange, active: number): number[] {
  const indices = new Set(Array.from({ length: to - from }, (_, index) => from + index));
  const step = (by: 1 | -1) => {
    const next = active + by;
    return rows[next]?.kind === 'product' ? next + by : next;
  };
  for (const index of [step(-1), active, step(1)]) {
    if (rows[index] !== undefined) indices.add(index);
  }
  return [...indices].toSorted((one, other) => one - other);
}

type Place = { top: number; position: number; of: number };

const ProductRow = memo(function ProductRow({ label, count, top, position, of }: Place & Fields<'product'>) {
  return (
    <li className={classes.product} style={{ top }} aria-posinset={position} aria-setsize={of}>
      <h2 className={classes.productName}>{label}</h2>
      <span className={classes.productCount}>
        {count} {plural(count, 'action', 'actions')}
      </span>
    </li>
  );
});

type Fields<Kind> = Omit<Extract<CatalogueRow, { kind: Kind }>, 'kind' | 'id'>;

type ActionRowProps = Place & {
  action: ActionDefinition;
  unconnected: boolean;
  isOpen: boolean;
  inTabOrder: boolean;
  onOpen: (id: string) => void;
  onUse: (id: string) => void;
};

/** Memoised: while the page scrolls, only rows that come into sight are drawn. */
const ActionRow = memo(function ActionRow(props: ActionRowProps) {
  const { action, unconnected, isOpen, inTabOrder, onOpen, onUse, top, position, of } = props;
  const { action_id: id, friendly_name, description, effect } = action;
  return (
    <li className={classes.item} style={{ top }} aria-posinset={position} aria-setsize={of}>
      <button
        type="button"
        className={classes.row}
        data-row
        data-open={isOpen || undefined}
        aria-haspopup="dialog"
        tabIndex={inTabOrder ? 0 : -1}
        onFocus={() => onUse(id)}
        onClick={() => onOpen(id)}
      >
        <span className={classes.name} title={friendly_name}>
          {friendly_name}
        </span>
        <span className={classes.effect}>
          <EffectBadge effect={effect} variant="plain" />
        </span>
        <span className={classes.summary} title={description}>
          {description}
        </span>
        <span className={classes.note}>{unconnected ? t('No connector') : null}</span>
      </button>
    </li>
  );
});

/** A function that stays the same and does what the last one given does. */
function useLatest(call: (id: string) => void): (id: string) => void {
  const latest = useRef(call);
  useEffect(() => {
    latest.current = call;
  });
  return useCallback((id) => latest.current(id), []);
}
