import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import type { ComponentPropsWithRef, ReactNode, Ref } from 'react';
import frameClasses from './widget.module.css';
import classes from './widget-grid.module.css';
import type { Widget } from './widgets.ts';

export type GridProps = {
  widgets: readonly Widget[];
  onMove: (id: string, to: number) => void;
  render: (widget: Widget, handle: ReactNode) => ReactNode;
};

export function GridFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <ul className={classes.grid}>{children}</ul>
    </div>
  );
}

type SlotProps = {
  ref?: Ref<HTMLLIElement>;
  widget: Widget;
  dragged?: boolean;
  /** Whether another widget would take this place. */
  over?: boolean;
  children: ReactNode;
};

export function GridSlot({ ref, widget, dragged = false, over = false, children }: SlotProps) {
  return (
    <li
      ref={ref}
      className={classes.slot}
      data-size={widget.data.size}
      data-type={widget.type}
      data-dragged={dragged || undefined}
      data-over={over || undefined}
    >
      {children}
    </li>
  );
}

type HandleProps = { name: string } & Omit<UnstyledButtonProps & ComponentPropsWithRef<'button'>, 'name' | 'style'>;

export function DragHandle({ name, ...rest }: HandleProps) {
  return (
    <UnstyledButton className={frameClasses.handle} {...rest} aria-label={`Move ${name}`}>
      <IconGripVertical size={14} aria-hidden />
    </UnstyledButton>
  );
}
