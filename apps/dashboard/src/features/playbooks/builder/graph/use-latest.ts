import { type RefObject, useLayoutEffect, useRef } from 'react';

/** What a value is at the time something happens, for handlers that stay the same while it changes. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
