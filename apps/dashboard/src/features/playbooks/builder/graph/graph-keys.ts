import type { KeyboardEvent } from 'react';
import type { FlowLayout } from '../../../../components/flow/flow-layout.ts';
import { plural } from '../../../../language/plural.ts';
import { t } from '../../../../language/translate.ts';
import { addSteps } from '../add-steps.ts';
import type { Builder } from '../builder-context.ts';
import { dependenciesOf } from '../document/builder-action.ts';
import { type Direction, neighbourOf } from './neighbour.ts';

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

type Given = {
  builder: Builder;
  layout: FlowLayout;
  /** The step that has the focus. */
  focused: string;
  /** Nothing may be changed. */
  locked: boolean;
  onFocus: (id: string) => void;
  onOpen: () => void;
};

/** What a key does on a step of the graph; true when it did something. */
export function pressOnStep(event: KeyboardEvent, given: Given): boolean {
  const { builder, layout, focused, onFocus, onOpen } = given;
  const { document, change } = builder;
  const direction = directions[event.key];
  if (direction !== undefined) {
    const next = neighbourOf(layout.positions, focused, direction);
    if (next === undefined) return true;
    change({ type: 'select', ids: event.shiftKey ? [...new Set([...document.selection, focused, next])] : [next] });
    onFocus(next);
    return true;
  }
  if (event.key === 'Enter') {
    change({ type: 'select', ids: [focused] });
    onOpen();
    return true;
  }
  if (event.key === ' ') {
    const { selection } = document;
    const ids = selection.includes(focused) ? selection.filter((id) => id !== focused) : [...selection, focused];
    change({ type: 'select', ids });
    return true;
  }
  return given.locked ? false : editByKey(event, given);
}

function editByKey(event: KeyboardEvent, { builder, focused, onFocus }: Given): boolean {
  const { document, change, show, announce } = builder;
  const command = event.ctrlKey || event.metaKey;
  const chosen = document.selection.includes(focused) ? document.selection : [focused];
  if (event.key === 'Delete' || event.key === 'Backspace') {
    const rest = document.definition.actions.filter(({ id }) => !chosen.includes(id));
    const gone = document.definition.actions.find(({ id }) => id === focused);
    const next = rest.find(({ id }) => dependenciesOf(gone ?? {}).includes(id)) ?? rest[0];
    change({ type: 'delete', ids: chosen });
    announce(
      chosen.length === 1
        ? t('{name} deleted', { name: focused })
        : plural(chosen.length, '{count} step deleted', '{count} steps deleted'),
    );
    if (next !== undefined) onFocus(next.id);
    return true;
  }
  if (command && event.key.toLowerCase() === 'd') {
    const words =
      chosen.length === 1
        ? t('{name} duplicated', { name: focused })
        : plural(chosen.length, '{count} step duplicated', '{count} steps duplicated');
    addSteps(builder, { type: 'duplicate', ids: chosen }, words);
    return true;
  }
  if (command && event.key.toLowerCase() === 'a') {
    change({ type: 'select', ids: document.definition.actions.map(({ id }) => id) });
    announce(t('All steps selected'));
    return true;
  }
  if (!command && event.key.toLowerCase() === 'a') {
    show({ show: 'palette', place: placeAfter(builder, focused) });
    return true;
  }
  return false;
}

/** After a step and before what follows it now. */
export function placeAfter({ document }: Pick<Builder, 'document'>, id: string) {
  const before = document.definition.actions.filter((action) => dependenciesOf(action).includes(id));
  return { after: [id], before: before.map((action) => action.id) };
}
