import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { t } from '../../language/translate.ts';
import frameClasses from './widget.module.css';
import type { ChangeWidgets, Widget } from './widgets.ts';

export type GridProps = {
  widgets: readonly Widget[];
  change: ChangeWidgets;
  say: (text: string) => void;
  render: (widget: Widget, handle: ReactNode) => ReactNode;
};

type HandleProps = { name: string } & Omit<UnstyledButtonProps & ComponentPropsWithRef<'button'>, 'name' | 'style'>;

export function DragHandle({ name, ...rest }: HandleProps) {
  return (
    <UnstyledButton className={frameClasses.handle} {...rest} aria-label={t('Move {name}', { name })}>
      <IconGripVertical size={14} aria-hidden />
    </UnstyledButton>
  );
}
