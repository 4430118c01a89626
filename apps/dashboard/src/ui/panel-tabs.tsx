import type { ReactNode } from 'react';
import { PanelMenu } from './panel-menu.tsx';
import classes from './panel-tabs.module.css';

/** What the link of a tab is given. */
export type TabProps = { className: string; 'aria-current': 'page' | undefined; children: ReactNode };

type Props<Name extends string> = {
  /** Of the tabs: "Parts of the integration". */
  label: string;
  /** Of the menu that takes their place on phones: "Part of the integration". */
  menuLabel: string;
  panels: readonly Name[];
  labels: Readonly<Record<Name, string>>;
  current: Name;
  /** A link of the router to one part. */
  link: (panel: Name, props: TabProps) => ReactNode;
  onChoose: (panel: Name) => void;
};

/** Parts of a screen that the address names: tabs, on phones a menu. */
export function PanelTabs<Name extends string>(props: Props<Name>) {
  const { label, menuLabel, panels, labels, current, link, onChoose } = props;
  return (
    <>
      <nav aria-label={label}>
        <ul className={classes.tabs}>
          {panels.map((panel) => (
            <li key={panel} className={classes.item}>
              {link(panel, {
                className: classes.tab ?? '',
                'aria-current': panel === current ? 'page' : undefined,
                children: labels[panel],
              })}
            </li>
          ))}
        </ul>
      </nav>
      <PanelMenu label={menuLabel} panels={panels} labels={labels} current={current} onChoose={onChoose} />
    </>
  );
}
