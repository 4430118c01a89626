import type { SavedSearch, SearchBody } from '@airdeck/contracts/search/schema';
import { EditorView } from '@codemirror/view';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { ownTenant } from '../../session/fixtures.ts';
import { type Given, showApp } from '../../test-app.tsx';
import { foundEvent, searchAnswer, searchFields } from './search-fixtures.ts';

export const api = `/api/tenants/${ownTenant}/search`;
export const RUN = `POST ${api}`;

/** Rows are drawn where there is room for them, and jsdom has no layout. */
export function drawRows(): void {
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, get: () => 600 });
  Object.defineProperty(Element.prototype, 'clientWidth', { configurable: true, get: () => 900 });
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
}

export const saved: SavedSearch = {
  id: '01920000-0000-7000-8000-000000000701',
  name: 'Failed logins',
  shared: true,
  criteria: {
    integrations: ['sshd'],
    query: 'outcome:failure',
    filters: [{ field: 'port', op: 'gt', value: 1000 }],
  },
  time_range: { preset: 'last_7d' },
  sort: 'oldest',
  columns: ['host', 'message'],
  owner: { id: '01920000-0000-7000-8000-0000000000bb', name: 'Bob Lima' },
  own: false,
  editable: false,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-01T10:00:00.000Z',
};

/** The screen of the search; `asked` are the searches that were sent. */
export function search(address = '/search/', answers: Given['answers'] = {}) {
  const asked: SearchBody[] = [];
  const app = showApp(address, {
    answers: {
      [RUN]: ({ body }) => {
        asked.push(body as SearchBody);
        return Response.json(searchAnswer([foundEvent(2), foundEvent(1, { user: 'alice', severity: 'high' })]));
      },
      [`${RUN}/fields`]: () => Response.json(searchFields),
      [`GET ${api}/saved`]: () => Response.json([saved]),
      [`GET ${api}/integrations`]: () =>
        Response.json([
          { integration: 'sshd', event_type: 'authentication', events: 9, last_event_at: '2026-11-21T10:00:00.000Z' },
          { integration: 'okta', event_type: 'system_log', events: 4, last_event_at: '2026-11-21T10:00:00.000Z' },
        ]),
      [`GET /api/tenants/${ownTenant}/integrations/connectors`]: () => Response.json([]),
      ...answers,
    },
  });
  return { ...app, asked };
}

export const row = (text: string) => screen.findByText(text);
export const drawer = () => screen.findByRole('dialog');

/** Into the editor, in place of what is there. */
export async function typeQuery(text: string): Promise<HTMLElement> {
  // As whoever types does first, which loads the editor.
  const plain = await screen.findByRole('textbox', { name: 'Query' });
  if (plain.tagName === 'INPUT') fireEvent.focus(plain);
  const content = await waitFor(() => {
    const found = document.querySelector<HTMLElement>('.cm-content');
    if (found === null) throw new Error('The editor is not there yet.');
    return found;
  });
  const view = EditorView.findFromDOM(content);
  view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  return content;
}
