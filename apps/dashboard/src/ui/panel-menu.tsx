import { NativeSelect } from '@mantine/core';
import classes from './panel-tabs.module.css';

type Props<Name extends string> = {
  /** "Part of the integration". */
  label: string;
  panels: readonly Name[];
  labels: Readonly<Record<Name, string>>;
  current: Name;
  onChoose: (panel: Name) => void;
};

/** On phones the way from one part of a screen to another. */
export function PanelMenu<Name extends string>({ label, panels, labels, current, onChoose }: Props<Name>) {
  return (
    <NativeSelect
      className={classes.menu ?? ''}
      aria-label={label}
      value={current}
      data={panels.map((panel) => ({ value: panel, label: labels[panel] }))}
      onChange={(event) => {
        const panel = panels.find((each) => each === event.currentTarget.value);
        if (panel !== undefined) onChoose(panel);
      }}
    />
  );
}
