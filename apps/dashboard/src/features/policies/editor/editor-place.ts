import type { EditorPanel, EditorSearch, EditorView } from '../policies-search.ts';

type Place = Pick<EditorSearch, 'view' | 'panel'>;

/** Which half of the editor shows and what stands beside it, kept in the address. */
export function editorPlace(
  { view = 'form', panel = 'events' }: Place,
  navigate: (to: { search: (before: EditorSearch) => EditorSearch; replace: true; resetScroll: false }) => unknown,
) {
  const move = (part: Place) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return {
    view,
    panel,
    onView: (next: EditorView) => move({ view: next === 'form' ? undefined : next }),
    onPanel: (next: EditorPanel) => move({ panel: next === 'events' ? undefined : next }),
  };
}
