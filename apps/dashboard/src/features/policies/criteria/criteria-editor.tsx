import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import classes from './criteria.module.css';
import { type CriteriaEditing, CriteriaProvider, type NodePart } from './criteria-context.ts';
import { type Direction, type GroupNode, moveNode } from './criteria-tree.ts';
import { GroupBlock } from './group-block.tsx';
import { movedWords } from './moved-words.ts';

type Props = {
  root: GroupNode;
  problems: ReadonlyMap<string, string>;
  fieldNames: readonly string[];
  /** Where several stand on a page, the keys are explained once. */
  withoutHint?: boolean;
  onChange: (root: GroupNode) => void;
};

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

/** Builds the tree of conditions: by fields and menus, and with Alt Shift and the arrow keys. */
export function CriteriaEditor({ root, problems, fieldNames, withoutHint = false, onChange }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef<{ id: string; part: NodePart }>(undefined);
  const [said, setSaid] = useState('');
  // A node that moved is drawn anew in its place, without the focus it had.
  useLayoutEffect(() => {
    const target = wanted.current;
    if (target === undefined) return;
    wanted.current = undefined;
    partOf(frame.current, target)?.focus();
  });
  const editing = useMemo(
    (): CriteriaEditing => ({
      root,
      problems,
      fieldNames,
      change: onChange,
      focus: (id, part) => {
        wanted.current = { id, part };
      },
      say: setSaid,
    }),
    [root, problems, fieldNames, onChange],
  );

  const move = (event: KeyboardEvent) => {
    const direction = event.altKey && event.shiftKey ? directions[event.key] : undefined;
    if (direction === undefined || !(event.target instanceof Element)) return;
    const id = event.target.closest<HTMLElement>('[data-node]')?.dataset.node;
    if (id === undefined || id === root.id) return;
    event.preventDefault();
    const moved = moveNode(root, id, direction);
    if (moved === root) return setSaid(t('It cannot go there.'));
    const part = event.target.closest<HTMLElement>('[data-part]')?.dataset.part as NodePart | undefined;
    wanted.current = { id, part: part ?? 'menu' };
    onChange(moved);
    setSaid(movedWords(moved, id));
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the controls inside arrive here
    <div ref={frame} onKeyDown={move}>
      <CriteriaProvider value={editing}>
        <GroupBlock group={root} place="" />
      </CriteriaProvider>
      {withoutHint ? null : (
        <p className={classes.hint}>
          {tx(
            '<key>Alt</key> <key>Shift</key> and an arrow key move the condition you are in: up, down, into a group or out of it.',
            { key: (text) => <kbd>{text}</kbd> },
          )}
        </p>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </div>
  );
}

/** The control of that part; of a tags field the part stands on what is around its input. */
function partOf(frame: HTMLElement | null, { id, part }: { id: string; part: NodePart }): HTMLElement | null {
  const node = frame?.querySelector(`[data-node="${id}"]`);
  const found =
    node?.querySelector<HTMLElement>(`[data-part="${part}"]`) ?? node?.querySelector<HTMLElement>('[data-part]');
  if (found === null || found === undefined) return null;
  return found.matches('input,select,textarea,button') ? found : (found.querySelector('input') ?? found);
}
