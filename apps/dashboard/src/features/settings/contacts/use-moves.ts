import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { contactMutations, contactQueries } from '../../../queries/contacts.ts';
import { useApp } from '../../../session/app-context.ts';
import type { Direction } from './contact-columns.tsx';
import { type ContactRow, movedTo, placesOf } from './contact-rows.ts';

/** Moves contacts within the escalation of their tenant, and says where they went. */
export function useMoves() {
  const { api, queryClient } = useApp();
  const { mutate } = useMutation(contactMutations.move(api, queryClient));
  const [said, setSaid] = useState('');
  return {
    said,
    move(row: ContactRow, direction: Direction) {
      const tenantId = row.tenant;
      // What the cache holds now, not what was drawn: two quick presses are two places.
      const contacts = queryClient.getQueryData(contactQueries.list({ api, tenantId }).queryKey);
      const contact = contacts?.find(({ id }) => id === row.id);
      if (contacts === undefined || contact === undefined || contact.escalation_order === null) return;
      const to = contact.escalation_order + (direction === 'up' ? -1 : 1);
      if (to < 1 || to > placesOf(contacts)) return;
      mutate({
        tenantId,
        contact,
        place: to,
        after: movedTo(contacts, contact.id, to),
      });
      setSaid(
        t('{name} is now at place {to} of {placesOf}.', { name: contact.name, to, placesOf: placesOf(contacts) }),
      );
    },
  };
}

/** A row that changes its place in the document loses the focus inside it; this gives it back after the next drawing. */
export function useKeptFocus(): (element: Element | null) => void {
  const kept = useRef<HTMLElement>(undefined);
  useEffect(() => {
    const element = kept.current;
    kept.current = undefined;
    if (element?.isConnected === true && document.activeElement !== element) element.focus();
  });
  return (element) => {
    kept.current = element instanceof HTMLElement ? element : undefined;
  };
}
