import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode, Ref } from 'react';
import classes from './guarded-button.module.css';
import { Tip } from './tip.tsx';

type Props = ButtonProps & {
  /** Why it cannot be used; undefined when it can. */
  reason: string | undefined;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  children: ReactNode;
  type?: 'button' | 'submit';
  className?: string;
  ref?: Ref<HTMLButtonElement>;
  'aria-label'?: string;
  'aria-haspopup'?: 'menu' | 'dialog';
};

/** A button that, when it may not be used, stays reachable by keyboard and says why. */
export function GuardedButton({ reason, onClick, type, className, ...rest }: Props) {
  const isBlocked = reason !== undefined;
  // One button either way: another one would not have the focus.
  return (
    <Tip label={reason} disabled={!isBlocked}>
      {isBlocked ? (
        // Never a submit: it can still be clicked, and a form must not be sent by what may not be used.
        <Button
          {...rest}
          type="button"
          data-disabled
          aria-disabled
          aria-description={reason}
          className={`${classes.blocked ?? ''} ${className ?? ''}`}
        />
      ) : (
        <Button
          {...(onClick === undefined ? {} : { onClick })}
          {...(type === undefined ? {} : { type })}
          className={className ?? ''}
          {...rest}
        />
      )}
    </Tip>
  );
}
