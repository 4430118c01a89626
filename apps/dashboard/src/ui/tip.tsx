import { useMergedRef } from '@mantine/hooks';
import {
  cloneElement,
  type HTMLAttributes,
  lazy,
  type ReactElement,
  type ReactNode,
  type Ref,
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

type Props = {
  label: ReactNode;
  /** One element that takes a ref and pointer and focus events. */
  children: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>;
  position?: 'top' | 'bottom' | 'right' | 'left';
  /** Pixels; makes long explanations wrap. */
  width?: number;
  disabled?: boolean;
};

/** A tooltip on hover and keyboard focus; `esc` closes it. */
export function Tip({ label, children, position = 'top', width, disabled = false }: Props) {
  const id = useId();
  const [node, setNode] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ref = useMergedRef(setNode, children.props.ref);
  useEffect(() => () => clearTimeout(timer.current), []);

  const close = () => {
    clearTimeout(timer.current);
    setOpened(false);
  };
  const { onPointerEnter, onPointerLeave, onFocus, onBlur, onKeyDown } = children.props;
  const child = cloneElement(children, {
    ref,
    ...(opened && !disabled ? { 'aria-describedby': id } : {}),
    onPointerEnter: (event) => {
      onPointerEnter?.(event);
      timer.current = setTimeout(() => setOpened(true), HOVER_DELAY_MS);
    },
    onPointerLeave: (event) => {
      onPointerLeave?.(event);
      close();
    },
    onFocus: (event) => {
      onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) setOpened(true);
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
      {opened && !disabled && node !== null ? (
        <Suspense fallback={null}>
          <OpenTooltip target={node} id={id} label={label} position={position} width={width} />
        </Suspense>
      ) : null}
    </>
  );
}
