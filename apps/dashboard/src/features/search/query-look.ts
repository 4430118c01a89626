import { EditorView } from '@codemirror/view';

/** Colours and sizes of the query field, from the tokens of both themes. */
export const queryLook = EditorView.theme({
  '&': { fontSize: '0.8125rem', color: 'var(--air-text)', backgroundColor: 'transparent', maxHeight: '120px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--air-text)', padding: '7px 0' },
  '.cm-line': { padding: '0 2px' },
  // A hint is worth one line; what does not fit says nothing that the rest does not.
  '.cm-placeholder': {
    color: 'var(--air-text-3)',
    maxWidth: '100%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  '.cm-cursor': { borderLeftColor: 'var(--air-text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--air-selected) !important',
  },
  '.cm-tooltip': {
    color: 'var(--air-text)',
    backgroundColor: 'var(--air-raised)',
    border: '1px solid var(--air-border)',
    borderRadius: '6px',
    boxShadow: 'var(--air-shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: '260px',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '16px',
    justifyContent: 'space-between',
    padding: '4px 8px',
    borderRadius: '4px',
    lineHeight: '1.125rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--air-text)',
    backgroundColor: 'var(--air-selected)',
  },
  '.cm-completionDetail': { color: 'var(--air-text-2)', fontStyle: 'normal', marginLeft: '0' },
  '.air-query-field': { color: 'var(--air-link)' },
  '.air-query-punctuation': { color: 'var(--air-text-2)' },
  '.air-query-operator, .air-query-range': { color: 'var(--air-attention)' },
  '.air-query-wildcard': { color: 'var(--air-high)' },
  '.air-query-number': { color: 'var(--air-info)' },
  '.air-query-phrase': { color: 'var(--air-success)' },
  '.air-query-regex': { color: 'var(--air-medium)' },
  '.air-query-error': { color: 'var(--air-critical)' },
  '.air-query-problem': {
    textDecorationLine: 'underline',
    textDecorationStyle: 'wavy',
    textDecorationColor: 'var(--air-critical)',
    textUnderlineOffset: '4px',
    textDecorationSkipInk: 'none',
  },
});
