import { Checkbox } from '@mantine/core';
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useMemo, useState } from 'react';
import { t } from '../../language/translate.ts';
import { singleKeysOn } from '../../lib/single-keys.ts';

type Selection = {
  ids: ReadonlySet<string>;
  /** Everything that matches is chosen, not only what is shown. */
  isAll: boolean;
  toggle: (id: string) => void;
  toggleShown: () => void;
  choose: (ids: readonly string[]) => void;
  chooseAll: () => void;
  clear: () => void;
  shown: readonly string[];
};

const SelectionContext = createContext<Selection | undefined>(undefined);

type Props = {
  /** Ids on the screen. */
  shown: readonly string[];
  /** Another list starts with nothing chosen. */
  listKey: string;
  children: ReactNode;
};

/** Which cases are chosen. Outside the rows, so that a choice draws boxes again and nothing else. */
export function SelectionProvider({ shown, listKey, children }: Props) {
  const [chosen, setChosen] = useState<{ listKey: string; ids: ReadonlySet<string>; isAll: boolean }>(none(listKey));
  const current = chosen.listKey === listKey ? chosen : none(listKey);
  const { ids, isAll } = current;
  const selection = useMemo<Selection>(() => {
    const set = (next: Iterable<string>, all = false) => setChosen({ listKey, ids: new Set(next), isAll: all });
    const areAllShown = shown.length > 0 && shown.every((id) => ids.has(id));
    return {
      ids,
      isAll,
      shown,
      // Of everything that matches one is to be spared: what stays chosen is what can be seen.
      toggle: (id) => set(isAll ? without(shown, id) : ids.has(id) ? without(ids, id) : [...ids, id]),
      toggleShown: () => set(isAll || areAllShown ? [] : [...ids, ...shown]),
      choose: set,
      chooseAll: () => set([...ids, ...shown], true),
      clear: () => set([]),
    };
  }, [ids, isAll, shown, listKey]);
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

function without(ids: Iterable<string>, id: string): string[] {
  return [...ids].filter((each) => each !== id);
}

function none(listKey: string) {
  return { listKey, ids: NOTHING, isAll: false };
}
const NOTHING: ReadonlySet<string> = new Set();

export function useSelection(): Selection {
  const selection = useContext(SelectionContext);
  if (selection === undefined) throw new Error('Cases are chosen inside a SelectionProvider.');
  return selection;
}

export function SelectBox({ id, name }: { id: string; name: string }) {
  const { ids, isAll, toggle } = useSelection();
  return (
    <Checkbox
      size="xs"
      aria-label={t('Select {name}', { name })}
      data-select
      checked={isAll || ids.has(id)}
      onChange={() => toggle(id)}
    />
  );
}

export function SelectShownBox() {
  const { ids, isAll, shown, toggleShown } = useSelection();
  const count = shown.filter((id) => ids.has(id)).length;
  const all = isAll || (shown.length > 0 && count === shown.length);
  return (
    <Checkbox
      size="xs"
      aria-label={t('Select all cases shown')}
      checked={all}
      indeterminate={count > 0 && !all}
      onChange={toggleShown}
    />
  );
}

/** `x` chooses the row that has the focus. */
export function useSelectKey(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'x' || event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
      const row = document.activeElement;
      if (!(row instanceof HTMLElement) || !row.matches('[data-row]') || list.current?.contains(row) !== true) return;
      event.preventDefault();
      row.querySelector<HTMLElement>('[data-select]')?.click();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [list]);
}
