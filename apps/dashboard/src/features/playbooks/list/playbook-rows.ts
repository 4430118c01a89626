import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { t } from '../../../language/translate.ts';
import { plainLetters } from '../../../lib/plain-letters.ts';
import type { FacetOption } from '../../../ui/facet-menu.tsx';
import { type PlaybookSort, type PlaybooksSearch, stateFilters, triggerFilters } from './playbooks-search.ts';

type Wanted = Pick<PlaybooksSearch, 'q' | 'filters' | 'sort'>;
type State = (typeof stateFilters)[number];

export const triggerWords: Readonly<Record<(typeof triggerFilters)[number], string>> = {
  manual: t('By hand'),
  policy: t('Policy'),
  automation: t('Automation##trigger'),
  playbook: t('Playbook'),
};

const stateWords: Readonly<Record<State, string>> = {
  published: t('Published##playbook'),
  draft: t('Draft'),
  changed: t('Unpublished changes'),
};

/** How a playbook stands: only a draft, published as it is, or published with changes that are not. */
export function stateOf({ version, has_draft }: Pick<Playbook, 'version' | 'has_draft'>): State {
  if (version === 0) return 'draft';
  return has_draft ? 'changed' : 'published';
}

/** Playbooks the search and the filters find, in the order asked for; by name when nothing is. */
export function playbookRows(playbooks: readonly Playbook[], { q, filters, sort = 'name' }: Wanted): Playbook[] {
  const found = matching(playbooks, q).filter(
    (playbook) => fits(playbook.triggers, filters?.trigger) && fits([stateOf(playbook)], filters?.state),
  );
  return found.toSorted(comparing(sort));
}

/** Triggers and states with how many playbooks of the search have them. */
export function facetOptions(playbooks: readonly Playbook[], q: string | undefined) {
  const found = matching(playbooks, q);
  const trigger: FacetOption[] = triggerFilters.map((value) => ({
    value,
    label: triggerWords[value],
    count: found.filter(({ triggers }) => triggers.includes(value)).length,
  }));
  const state: FacetOption[] = stateFilters.map((value) => ({
    value,
    label: stateWords[value],
    count: found.filter((playbook) => stateOf(playbook) === value).length,
  }));
  return { trigger, state };
}

function fits(own: readonly string[], wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || own.some((value) => wanted.includes(value));
}

/** Playbooks in which each word of the search stands somewhere. */
function matching(playbooks: readonly Playbook[], q: string | undefined): readonly Playbook[] {
  const words = plainLetters(q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return playbooks;
  return playbooks.filter(({ metadata, actions }) => {
    const uses = actions.map((action) => (action.kind === 'action' ? action.action : ''));
    const text = plainLetters([metadata.name, metadata.description, metadata.author, ...uses].join(' '));
    return words.every((word) => text.includes(word));
  });
}

const order = new Intl.Collator('en', { numeric: true });
const byName = (one: Playbook, other: Playbook) =>
  order.compare(one.metadata.name, other.metadata.name) || order.compare(one.id, other.id);

const figures: Readonly<Record<Exclude<PlaybookSort, 'name'>, (playbook: Playbook) => number | null>> = {
  success_rate: (playbook) => playbook.figures.success_rate,
  median_duration_s: (playbook) => playbook.figures.median_duration_s,
  runs_30d: (playbook) => playbook.figures.runs_30d,
  updated_at: (playbook) => Date.parse(playbook.updated_at),
};

/** Playbooks without the figure stand last, whichever way it is sorted. */
function comparing(sort: NonNullable<PlaybooksSearch['sort']>): (one: Playbook, other: Playbook) => number {
  const turn = sort.startsWith('-') ? -1 : 1;
  const id = sort.replace(/^-/, '') as PlaybookSort;
  if (id === 'name') return (one, other) => turn * byName(one, other);
  const figureOf = figures[id];
  return (one, other) => {
    const [left, right] = [figureOf(one), figureOf(other)];
    if (left === null || right === null) return Number(left === null) - Number(right === null) || byName(one, other);
    return turn * (left - right) || byName(one, other);
  };
}
