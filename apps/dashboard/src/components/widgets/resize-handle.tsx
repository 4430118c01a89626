import { UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { roomWords } from './room-words.ts';
import { type Room, resized } from './widget-changes.ts';
import type { WidgetControls } from './widget-frame.tsx';
import classes from './widget-grid.module.css';
import { widgetShapes } from './widgets.ts';

type Props = Pick<WidgetControls, 'widget' | 'change' | 'say'>;

/** Where a pull began, and what one column and one row measure on this screen, gap included. */
type Pull = { x: number; y: number; from: Room; column: number; row: number };

const arrows: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The corner of a widget: pulled by mouse or finger, or moved with the arrow keys, by whole columns and rows. */
export function ResizeHandle({ widget, change, say }: Props) {
  const { id, type, data } = widget;
  const pull = useRef<Pull | undefined>(undefined);
  const [active, setActive] = useState(false);
  const now: Room = { columns: data.size, rows: data.rows ?? widgetShapes[type].rows };

  const begin = (event: PointerEvent<HTMLButtonElement>) => {
    const measured = measure(event.currentTarget, now);
    if (measured === undefined || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pull.current = { x: event.clientX, y: event.clientY, ...measured };
    setActive(true);
  };
  const follow = (event: PointerEvent) => {
    const begun = pull.current;
    if (begun === undefined) return;
    const columns = begun.from.columns + Math.round((event.clientX - begun.x) / begun.column);
    const rows = begun.from.rows + Math.round((event.clientY - begun.y) / begun.row);
    if (columns !== now.columns || rows !== now.rows) change(resized(id, { columns, rows }));
  };
  const end = () => {
    if (pull.current === undefined) return;
    pull.current = undefined;
    setActive(false);
    say(t('{name} takes {room}.', { name: data.name, room: roomWords(now) }));
  };
  const byKey = (event: KeyboardEvent<HTMLButtonElement>) => {
    const begun = pull.current;
    if (event.key === 'Escape' && begun !== undefined) {
      pull.current = undefined;
      setActive(false);
      change(resized(id, begun.from));
      return;
    }
    const step = arrows[event.key];
    const measured = measure(event.currentTarget, now);
    if (step === undefined || measured === undefined) return;
    event.preventDefault();
    const next = resized(id, { columns: measured.from.columns + step[0], rows: measured.from.rows + step[1] });
    change(next);
    const [after] = next([widget]);
    if (after !== undefined) {
      say(
        t('{name} takes {room}.', {
          name: data.name,
          room: roomWords({ columns: after.data.size, rows: after.data.rows ?? now.rows }),
        }),
      );
    }
  };
  return (
    <UnstyledButton
      className={classes.resize}
      data-active={active || undefined}
      aria-label={t('Size of {name}: {room}. Change it with the arrow keys', { name: data.name, room: roomWords(now) })}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={byKey}
    />
  );
}

/** The width comes from the screen: a wide widget alone in the last row takes more columns than it asks for. */
function measure(handle: HTMLElement, { rows }: Room): Omit<Pull, 'x' | 'y'> | undefined {
  const slot = handle.parentElement;
  const grid = slot?.parentElement;
  if (slot == null || grid == null) return undefined;
  const { gridTemplateColumns, gridAutoRows, columnGap, rowGap } = getComputedStyle(grid);
  const gap = Number.parseFloat(columnGap) || 0;
  const column = (Number.parseFloat(gridTemplateColumns) || slot.offsetWidth) + gap;
  const row = (Number.parseFloat(gridAutoRows) || slot.offsetHeight) + (Number.parseFloat(rowGap) || 0);
  return { from: { columns: Math.max(1, Math.round((slot.offsetWidth + gap) / column)), rows }, column, row };
}
