import { type ComponentType, cloneElement, lazy, type ReactElement, Suspense, useMemo, useState } from 'react';

type Trigger = ReactElement<{ onClick?: () => void; onPointerEnter?: () => void; onFocus?: () => void }>;

type Props<Extra extends object> = {
  /** Loads what opens from the button; that component takes the button as its target and starts opened. */
  load: () => Promise<ComponentType<{ target: ReactElement } & Extra>>;
  /** A module-level function, so that it is loaded once. */
  button: Trigger;
  extra: Extra;
};

/** A button whose menu or popover is only loaded when somebody goes for it, to keep the first screen small. */
export function OnDemand<Extra extends object>({ load, button, extra }: Props<Extra>) {
  const [asked, setAsked] = useState(false);
  const Content = useMemo(() => lazy(() => load().then((component) => ({ default: component }))), [load]);
  const preload = () => void load();
  const waiting = cloneElement(button, { onClick: () => setAsked(true), onPointerEnter: preload, onFocus: preload });
  if (!asked) return waiting;
  return (
    <Suspense fallback={waiting}>
      <Content target={button} {...extra} />
    </Suspense>
  );
}
