import type { ReactNode, Ref } from 'react';
import classes from './widget-grid.module.css';

export function GridFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <ul className={classes.grid}>{children}</ul>
    </div>
  );
}

type SlotProps = {
  ref?: Ref<HTMLLIElement>;
  /** Columns it takes where there is room. */
  size: 1 | 2 | 3;
  /** Its height, where it is not the usual one of its type. */
  rows?: number | undefined;
  /** `alert_history` is lower than other wide ones. */
  type: string;
  dragged?: boolean;
  /** Whether another widget would take this place. */
  over?: boolean;
  children: ReactNode;
};

export function GridSlot({ ref, size, rows, type, dragged = false, over = false, children }: SlotProps) {
  return (
    <li
      ref={ref}
      className={classes.slot}
      data-size={size}
      data-rows={rows}
      data-type={type}
      data-dragged={dragged || undefined}
      data-over={over || undefined}
    >
      {children}
    </li>
  );
}
