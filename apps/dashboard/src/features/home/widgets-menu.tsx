import { Menu } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { t } from '../../language/translate.ts';
import classes from './home-page.module.css';
import type { WidgetChange } from './use-widgets.ts';
import { addWidget, resetWidgets } from './widget-changes.ts';
import { isDefault, WIDGETS_MAX } from './widget-store.ts';
import { type Widget, widgetShapes, widgetTypes } from './widgets.ts';

type Props = {
  target: ReactElement;
  list: readonly Widget[];
  change: (change: WidgetChange) => void;
};

/** Every widget there is, to be put on the page; also a second time, as each has a period of its own. */
export function WidgetsMenu({ target, list, change }: Props) {
  return (
    <Menu defaultOpened position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown className={classes.widgetsMenu}>
        <Menu.Label>{t('Put on the page')}</Menu.Label>
        {widgetTypes.map((type) => {
          const there = list.filter((widget) => widget.type === type).length;
          return (
            <Menu.Item
              key={type}
              disabled={list.length >= WIDGETS_MAX}
              rightSection={
                there === 0 ? undefined : (
                  <span className={classes.there}>
                    {there === 1 ? t('on the page') : t('{count} on the page', { count: there })}
                  </span>
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
          disabled={isDefault(list)}
          onClick={() => resetWidgets(change)}
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
