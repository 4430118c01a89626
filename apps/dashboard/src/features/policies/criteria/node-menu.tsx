import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconCornerLeftUp,
  IconCornerRightDown,
  IconDots,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './criteria.module.css';
import { useCriteria } from './criteria-context.ts';
import { canMove, type Direction, moveNode, removeNode } from './criteria-tree.ts';
import { movedWords } from './moved-words.ts';

const moves: readonly { direction: Direction; label: string; keys: string; icon: typeof IconArrowUp }[] = [
  { direction: 'up', label: t('Move up'), keys: '↑', icon: IconArrowUp },
  { direction: 'down', label: t('Move down'), keys: '↓', icon: IconArrowDown },
  { direction: 'in', label: t('Move into a group'), keys: '→', icon: IconCornerRightDown },
  { direction: 'out', label: t('Move out of the group'), keys: '←', icon: IconCornerLeftUp },
];

type Props = {
  id: string;
  /** "condition 2.1" or "group 2", for readers. */
  name: string;
  /** Choices of this kind of node, above the moves. */
  children?: ReactNode;
};

/** Moves and removes a node of the tree. */
export function NodeMenu({ id, name, children }: Props) {
  const { root, change, focus, say } = useCriteria();
  const remove = () => {
    change(removeNode(root, id));
    say(t('Removed {name}.', { name }));
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon size={28} aria-label={t('More for {name}', { name })} data-part="menu">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {moves
          .filter(({ direction }) => canMove(root, id, direction))
          .map(({ direction, label, keys, icon: Icon }) => (
            <Menu.Item
              key={direction}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={<span className={classes.keys}>{t('Alt Shift {keys}', { keys })}</span>}
              onClick={() => {
                const moved = moveNode(root, id, direction);
                change(moved);
                say(movedWords(moved, id));
                focus(id, 'menu');
              }}
            >
              {label}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item color="var(--air-critical)" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
          {t('Remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** One choice of a menu that is on or off. */
export function MenuChoice({ on, onToggle, children }: { on: boolean; onToggle: () => void; children: ReactNode }) {
  return (
    <Menu.Item
      role="menuitemcheckbox"
      aria-checked={on}
      leftSection={on ? <IconCheck size={16} aria-hidden /> : <span className={classes.noCheck} />}
      onClick={onToggle}
    >
      {children}
    </Menu.Item>
  );
}
