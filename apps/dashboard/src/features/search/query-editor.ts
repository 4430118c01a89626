import { colourQuery } from '@airdeck/query-language/query-colours';
import { completionAt } from '@airdeck/query-language/query-completion';
import type { Span } from '@airdeck/query-language/query-problem';
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionStatus,
  insertCompletionText,
  moveCompletionSelection,
  pickedCompletion,
  selectedCompletionIndex,
  startCompletion,
} from '@codemirror/autocomplete';
import { EditorState, Prec, StateEffect, StateField, Transaction } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { minimalSetup } from 'codemirror';
import { styleNonce } from '../../lib/style-nonce.ts';
import { queryLook } from './query-look.ts';
import { type Offer, type Offers, offersFor } from './query-offers.ts';

export type QueryEditor = {
  /** Puts another text in its place without telling `onChange`. */
  readonly replace: (text: string) => void;
  /** Underlines a stretch; undefined takes the line away. */
  readonly mark: (span: Span | undefined) => void;
  readonly focus: (at?: number) => void;
  readonly close: () => void;
};

type Options = {
  readonly parent: HTMLElement;
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
  readonly hint: string;
  readonly onChange: (text: string) => void;
  /** With the text as it is now, which `onChange` may have told a moment ago only. */
  readonly onRun: (text: string) => void;
  readonly offers: () => Offers;
};

/** A field for one query: coloured, completed, Enter searches. Tab leaves it unless something is being completed. */
export function createQueryEditor(options: Options): QueryEditor {
  const { parent, text, label, hint, onChange, onRun, offers } = options;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of(keys(onRun))),
        autocompletion({ override: [(context) => complete(context, offers())], icons: false, selectOnOpen: false }),
        colours,
        problemMark,
        queryLook,
        minimalSetup,
        placeholder(hint),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(styleNonce()),
        EditorView.contentAttributes.of({
          'aria-label': label,
          spellcheck: 'false',
          autocapitalize: 'off',
          tabindex: '0',
        }),
        EditorView.updateListener.of((update) => {
          const byHand = update.transactions.some(
            (each) => each.docChanged && each.annotation(Transaction.remote) !== true,
          );
          if (byHand) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    replace: (next) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: next.length },
        annotations: [Transaction.remote.of(true)],
      }),
    mark: (span) => view.dispatch({ effects: setProblem.of(span) }),
    focus: (at) => {
      view.focus();
      if (at !== undefined) view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) } });
    },
    close: () => view.destroy(),
  };
}

function keys(onRun: Options['onRun']) {
  return [
    {
      key: 'Enter',
      run: (view: EditorView) => {
        // What was chosen with the arrows is taken; otherwise Enter always searches, also while something is offered.
        if (selectedCompletionIndex(view.state) !== null && acceptCompletion(view)) return true;
        closeCompletion(view);
        onRun(view.state.doc.toString());
        return true;
      },
    },
    {
      key: 'Tab',
      run: (view: EditorView) => {
        if (completionStatus(view.state) !== 'active') return false;
        if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view);
        return acceptCompletion(view);
      },
    },
  ];
}

async function complete(context: CompletionContext, offers: Offers): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const place = completionAt(text, context.pos);
  if (place.offers.length === 0) return null;
  // Unasked, a list over an empty field would only be in the way.
  if (!context.explicit && place.typed === '' && place.field === undefined) return null;
  const asked = new AbortController();
  context.addEventListener('abort', () => asked.abort());
  const found = await offersFor(place, offers, asked.signal);
  if (context.aborted || found.length === 0) return null;
  const { start, end } = place.replace;
  return { from: start, to: end, filter: false, options: found.map((offer) => optionOf(offer, text[end])) };
}

function optionOf(offer: Offer, next: string | undefined): Completion {
  const { label, insert, detail, goesOn } = offer;
  // A field that has its colon already gets no second one.
  const written = goesOn && insert.endsWith(':') && next === ':' ? insert.slice(0, -1) : insert;
  return {
    label,
    ...(detail === undefined ? {} : { detail }),
    apply: (view, completion, from, to) => {
      const change = insertCompletionText(view.state, written, from, to);
      view.dispatch({ ...change, annotations: pickedCompletion.of(completion) });
      if (goesOn) startCompletion(view);
    },
  };
}

function coloursOf(state: EditorState): DecorationSet {
  const marks = colourQuery(state.doc.toString())
    .filter(({ kind, start, end }) => kind !== 'space' && kind !== 'word' && end > start)
    .map(({ kind, start, end }) => Decoration.mark({ class: `air-query-${kind}` }).range(start, end));
  return Decoration.set(marks, true);
}

const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor({ state }: EditorView) {
      this.decorations = coloursOf(state);
    }
    update({ docChanged, state }: ViewUpdate) {
      if (docChanged) this.decorations = coloursOf(state);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const setProblem = StateEffect.define<Span | undefined>();

const problemMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { effects, docChanged, changes, newDoc }) => {
    const set = effects.findLast((effect) => effect.is(setProblem));
    if (set === undefined) return docChanged ? marks.map(changes) : marks;
    const span = set.value as Span | undefined;
    const { length } = newDoc;
    if (span === undefined || length === 0) return Decoration.none;
    // What is missing at the end is shown at the last character.
    const from = Math.min(span.start, length - 1);
    return Decoration.set(
      Decoration.mark({ class: 'air-query-problem' }).range(from, Math.max(from + 1, Math.min(span.end, length))),
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});
