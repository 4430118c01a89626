import {
  type ComponentType,
  cloneElement,
  lazy,
  type ReactElement,
  Suspense,
  startTransition,
  useMemo,
  useState,
} from 'react';

type Trigger = ReactElement<{ onClick?: () => void; onPointerEnter?: () => void; onFocus?: () => void }>;

type Props<Extra extends object> = {
  /** Loads what opens from the button; that component takes the button as its target and opens with `useOpenedAtOnce`. */
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
  // A transition: the button stays, and keeps the focus, until what takes its place is there.
  const ask = () => startTransition(() => setAsked(true));
  return (
    <Suspense>
      {asked ? (
        <Content target={button} {...extra} />
      ) : (
        cloneElement(button, { onClick: ask, onPointerEnter: preload, onFocus: preload })
      )}
    </Suspense>
  );
}
