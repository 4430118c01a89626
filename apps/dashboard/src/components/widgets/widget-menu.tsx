import { Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { t } from '../../language/translate.ts';
import { useOpenedAtOnce } from '../../ui/use-opened-at-once.ts';
import { PeriodItems } from './period-items.tsx';
import { roomWords } from './room-words.ts';
import { fitting, removeWidget, resized } from './widget-changes.ts';
import type { WidgetControls } from './widget-frame.tsx';
import { moved, widgetShapes } from './widgets.ts';

const RenameDialog = lazy(() => import('./rename-dialog.tsx').then((module) => ({ default: module.RenameDialog })));

type Props = { target: ReactElement } & WidgetControls;

/** Name and period of a widget, and its place and size for those who do not drag. */
export function WidgetMenu({ target, widget, list, change, say, ...period }: Props) {
  const { id, data } = widget;
  const { button, opened, setOpened } = useOpenedAtOnce(target);
  const [renaming, setRenaming] = useState(false);
  const place = list.findIndex((each) => each.id === id);
  const move = (to: number) => {
    change((widgets) => moved(widgets, id, to));
    say(t('{name} is now at place {place} of {count}.', { name: data.name, place: to + 1, count: list.length }));
  };
  return (
    <>
      <Menu
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        // No taller than what is left of the screen.
        middlewares={{ size: { padding: 8 } }}
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown style={{ overflowY: 'auto' }}>
          <Menu.Label>{t('Period')}</Menu.Label>
          <PeriodItems {...period} />
          <Menu.Divider />
          <Menu.Label>{t('Place and size')}</Menu.Label>
          <Menu.Item
            leftSection={<IconArrowUp size={16} aria-hidden />}
            disabled={place === 0}
            onClick={() => move(place - 1)}
          >
            {t('Move earlier')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={16} aria-hidden />}
            disabled={place === list.length - 1}
            onClick={() => move(place + 1)}
          >
            {t('Move later')}
          </Menu.Item>
          <SizeItems widget={widget} change={change} say={say} />
          <Menu.Divider />
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setRenaming(true)}>
            {t('Rename…')}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              removeWidget(change, widget);
              focusNear(list.length > 1 ? list[place === 0 ? 1 : place - 1]?.id : 'all');
            }}
          >
            {t('Remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {renaming ? (
        <Suspense fallback={null}>
          <RenameDialog
            widget={widget}
            change={change}
            say={say}
            onClose={() => {
              setRenaming(false);
              focusNear(id);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

const steps = [
  { text: t('Wider'), columns: 1, rows: 0 },
  { text: t('Narrower'), columns: -1, rows: 0 },
  { text: t('Taller'), columns: 0, rows: 1 },
  { text: t('Shorter##height'), columns: 0, rows: -1 },
] as const;

/** They leave the menu open, as one step is seldom enough. */
function SizeItems({ widget, change, say }: Pick<WidgetControls, 'widget' | 'change' | 'say'>) {
  const { id, type, data } = widget;
  const now = { columns: data.size, rows: data.rows ?? widgetShapes[type].rows };
  return steps.map(({ text, columns, rows }) => {
    const room = { columns: now.columns + columns, rows: now.rows + rows };
    const { size, rows: high } = fitting(type, room);
    return (
      <Menu.Item
        key={text}
        pl={38}
        closeMenuOnClick={false}
        disabled={size === now.columns && high === now.rows}
        onClick={() => {
          change(resized(id, room));
          say(t('{name} takes {room}.', { name: data.name, room: roomWords({ columns: size, rows: high }) }));
        }}
      >
        {text}
      </Menu.Item>
    );
  });
}

/** What had the focus is gone with its widget or its dialog. */
function focusNear(id: string | undefined): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-period-of="${id}"]`)?.focus());
}
