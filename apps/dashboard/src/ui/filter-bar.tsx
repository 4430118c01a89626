import { Button, CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../language/translate.ts';
import { type Facet, FacetMenu } from './facet-menu.tsx';
import classes from './filter-bar.module.css';

const TYPING_PAUSE_MS = 250;

type Props = {
  /** Text of the search field, from the URL. Leave out for lists without search. */
  q?: string | undefined;
  /** Accessible name and placeholder of the search field. */
  searchLabel?: string;
  onSearch?: (q: string | undefined) => void;
  facets?: readonly Facet[];
  onFacet?: (id: string, selected: string[] | undefined) => void;
  /** Takes all filters away; shown while any is set. */
  onClear?: () => void;
  /** Whether any is, where there are others than these. */
  filtered?: boolean;
  children?: ReactNode;
};

/** Search and facet chips over a list. It holds no filters of its own: the URL does, through the callbacks. */
export function FilterBar({ q, searchLabel, onSearch, facets = [], onFacet, onClear, filtered, children }: Props) {
  const isFiltered = filtered ?? ((q ?? '') !== '' || facets.some(({ selected }) => selected.length > 0));
  return (
    <search className={classes.root}>
      {onSearch === undefined ? null : (
        // Another text in the URL (back, cleared) starts the field anew; what is being typed is not touched.
        <SearchField q={q ?? ''} label={searchLabel ?? t('Search')} onSearch={onSearch} />
      )}
      {facets.map((facet) => (
        <FacetMenu key={facet.id} facet={facet} onChange={(selected) => onFacet?.(facet.id, selected)} />
      ))}
      {children}
      {isFiltered && onClear !== undefined ? (
        <Button variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={onClear}>
          {t('Clear')}
        </Button>
      ) : null}
    </search>
  );
}

/** `sent`: on its way into the address. */
type Typed = { text: string; from: string; sent?: string };

type SearchFieldProps = { q: string; label: string; onSearch: (q: string | undefined) => void };

function SearchField({ q, label, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState<Typed>({ text: q, from: q });
  // Adopt what the URL says when it changed by another hand than this field, which may be ahead of it again.
  if (typed.from !== q) {
    const isOwn = q === typed.sent || q === typed.text.trim();
    setTyped({ text: isOwn ? typed.text : q, from: q });
  }
  const send = useDebouncedCallback((text: string) => {
    const sent = text.trim();
    setTyped((before) => ({ ...before, sent }));
    onSearch(sent === '' ? undefined : sent);
  }, TYPING_PAUSE_MS);
  // Before whatever is opened next: the search changes the address, and after it would call back the way there.
  useEffect(() => {
    const sendFirst = () => send.flush();
    window.addEventListener('click', sendFirst, true);
    return () => window.removeEventListener('click', sendFirst, true);
  }, [send]);
  const type = (text: string) => {
    setTyped((before) => ({ ...before, text, from: q }));
    send(text);
  };
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed.text}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed.text === '' ? null : <CloseButton size="sm" aria-label={t('Clear search')} onClick={() => type('')} />
      }
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
