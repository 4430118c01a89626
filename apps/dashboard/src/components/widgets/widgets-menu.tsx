import { Menu, Text } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { t } from '../../language/translate.ts';
import { useOpenedAtOnce } from '../../ui/use-opened-at-once.ts';
import { addWidget, resetWidgets } from './widget-changes.ts';
import {
  type ChangeWidgets,
  defaultWidgets,
  WIDGETS_MAX,
  type Widget,
  type WidgetType,
  widgetShapes,
  widgetTypes,
} from './widgets.ts';

type Props = {
  target: ReactElement;
  list: readonly Widget[];
  change: ChangeWidgets;
  /** Those the page can have, and those it begins with; the home page's when left out. */
  types?: readonly WidgetType[];
  first?: readonly Widget[];
};

/** Every widget there is, to be put on the page; also a second time, as each has a period of its own. */
export function WidgetsMenu({ target, list, change, types = widgetTypes, first = defaultWidgets }: Props) {
  const { button, opened, setOpened } = useOpenedAtOnce(target);
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah="min(520px, 80dvh)" style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('Put on the page')}</Menu.Label>
        {types.map((type) => {
          const there = list.filter((widget) => widget.type === type).length;
          return (
            <Menu.Item
              key={type}
              disabled={list.length >= WIDGETS_MAX}
              rightSection={
                there === 0 ? undefined : (
                  <Text span fz="xs" c="var(--air-text-2)">
                    {there === 1 ? t('on the page') : t('{count} on the page', { count: there })}
                  </Text>
                )
              }
              onClick={() => showWidget(addWidget(change, type))}
            >
              {widgetShapes[type].name}
            </Menu.Item>
          );
        })}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconRestore size={16} aria-hidden />}
          disabled={JSON.stringify(list) === JSON.stringify(first)}
          onClick={() => resetWidgets(change, first)}
        >
          {t('Reset widgets')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function showWidget(id: string): void {
  requestAnimationFrame(() => {
    const button = document.querySelector<HTMLElement>(`[data-period-of="${id}"]`);
    button?.scrollIntoView({ block: 'center' });
    button?.focus();
  });
}
