import {
  cloneElement,
  type HTMLAttributes,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

// Positioning code is as large as the rest of the shell together, and a list may hold hundreds of tips: it loads when
// the first one is wanted, and only the open one is mounted.
const OpenTooltip = lazy(() => import('./open-tooltip.tsx').then((module) => ({ default: module.OpenTooltip })));

const HOVER_DELAY_MS = 300;
const TOUCH = 'touch';
/** What a tap does something with: its tip would stay over what comes of it. `data-hint` is on what is only there to be asked. */
const ACTS = 'a[href], button:not([aria-disabled="true"], [data-hint])';

type Props = {
  label: ReactNode;
  /** One element that takes pointer and focus events. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
  position?: 'top' | 'bottom' | 'right' | 'left';
  /** Pixels; makes long explanations wrap. */
  width?: number;
  disabled?: boolean;
};

/**
 * A tooltip on hover, keyboard focus and tap; `esc`, or a tap elsewhere, closes it. It learns of its element with the first
 * event: a ref kept in state would draw every tip of a list a second time.
 */
export function Tip({ label, children, position = 'top', width, disabled = false }: Props) {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const shown = disabled ? undefined : target;
  const close = () => {
    clearTimeout(timer.current);
    setTarget(undefined);
  };
  const { onPointerEnter, onPointerUp, onPointerLeave, onFocus, onBlur, onKeyDown } = children.props;
  const child = cloneElement(children, {
    ...(shown === undefined ? {} : { 'aria-describedby': id }),
    onPointerEnter: (event) => {
      onPointerEnter?.(event);
      const { currentTarget } = event;
      if (event.pointerType !== TOUCH) timer.current = setTimeout(() => setTarget(currentTarget), HOVER_DELAY_MS);
    },
    // A finger enters with every touch and leaves with its end. It comes up over what was tapped only, not after scrolling.
    onPointerUp: (event) => {
      onPointerUp?.(event);
      const isTap = event.pointerType === TOUCH && !disabled;
      if (isTap && !event.currentTarget.matches(ACTS)) setTarget(event.currentTarget);
    },
    onPointerLeave: (event) => {
      onPointerLeave?.(event);
      if (event.pointerType !== TOUCH) close();
    },
    onFocus: (event) => {
      onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) setTarget(event.currentTarget);
    },
    onBlur: (event) => {
      onBlur?.(event);
      close();
    },
    onKeyDown: (event) => {
      onKeyDown?.(event);
      if (event.key === 'Escape') close();
    },
  });
  return (
    <>
      {child}
      {shown === undefined ? null : (
        <Suspense fallback={null}>
          <OpenTooltip target={shown} id={id} label={label} position={position} width={width} close={close} />
        </Suspense>
      )}
    </>
  );
}
