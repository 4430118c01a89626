import { UnstyledButton } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './figure.module.css';
import { Tip } from './tip.tsx';

export type Delta = {
  /** With its sign and unit, such as "-12 %". */
  text: string;
  direction: 'up' | 'down';
  /** Whether that direction is good news; undefined when it is neither. */
  good?: boolean;
  /** What it is compared with, such as "against the 7 days before". */
  against: string;
};

type Props = {
  label: string;
  /** Formatted; `–` where there is nothing to show. */
  value: string;
  unit?: string;
  delta?: Delta;
  /** What the figure means, for the tooltip. */
  definition: string;
  /** Sparkline or the like, below. */
  children?: ReactNode;
};

/** One number with its unit, its change and the explanation of what it counts. */
export function Figure({ label, value, unit, delta, definition, children }: Props) {
  return (
    <div className={classes.root}>
      <div className={classes.label}>
        <span>{label}</span>
        <Tip label={definition} width={260}>
          <UnstyledButton className={classes.info} aria-label={`What ${label} means`}>
            <IconInfoCircle size={14} />
          </UnstyledButton>
        </Tip>
      </div>
      <div className={classes.line}>
        <span className={classes.value}>{value}</span>
        {unit === undefined ? null : <span className={classes.unit}>{unit}</span>}
        {delta === undefined ? null : <DeltaMark delta={delta} />}
      </div>
      {children}
    </div>
  );
}

function DeltaMark({ delta }: { delta: Delta }) {
  const Icon = delta.direction === 'up' ? IconArrowUpRight : IconArrowDownRight;
  const tone = delta.good === undefined ? undefined : delta.good ? classes.good : classes.bad;
  return (
    <Tip label={`${delta.text} ${delta.against}`}>
      <span className={`${classes.delta} ${tone ?? ''}`}>
        <Icon size={14} aria-hidden />
        {delta.text}
      </span>
    </Tip>
  );
}
