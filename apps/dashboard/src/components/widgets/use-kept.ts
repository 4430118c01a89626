import { useRef, useState } from 'react';
import type { BrowserStorage } from '../../lib/browser-storage.ts';
import { useApp } from '../../session/app-context.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';

type Store<T> = {
  read: (storage: BrowserStorage, owner: string) => T;
  write: (storage: BrowserStorage, owner: string, kept: T) => void;
};

/** A page as this user arranged it in this browser: read once, written with every change. */
export function useKept<T>({ read, write }: Store<T>): [kept: T, change: (next: (newest: T) => T) => void] {
  const { storage } = useApp();
  const owner = useCurrentUser().user.id;
  const [kept, setKept] = useState(() => read(storage, owner));
  // Of two changes before the next drawing, and of an undo much later, each must start from the newest.
  const newest = useRef(kept);
  const change = (next: (newest: T) => T) => {
    newest.current = next(newest.current);
    write(storage, owner, newest.current);
    setKept(newest.current);
  };
  return [kept, change];
}
