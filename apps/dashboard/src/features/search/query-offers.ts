import type { completionAt } from '@airdeck/query-language/query-completion';
import { writeField, writeValue } from '@airdeck/query-language/write-term';

/** What can be offered at the moment: names of fields with how many events have them, and values on request. */
export type Offers = {
  readonly fields: readonly { readonly name: string; readonly count: number | undefined }[];
  /** Resolves to nothing when values cannot be had. */
  readonly values: (
    field: string,
    prefix: string,
    signal: AbortSignal,
  ) => Promise<readonly { value: string; count: number }[]>;
};

export type Offer = {
  readonly label: string;
  /** What is written in its place. */
  readonly insert: string;
  readonly detail?: string;
  /** Something is to be completed behind it. */
  readonly goesOn: boolean;
};

type Place = ReturnType<typeof completionAt>;

const MOST = 50;
const operators = ['AND', 'OR', 'NOT'] as const;

/** What fits the place of the cursor, best first. */
export async function offersFor(place: Place, offers: Offers, signal: AbortSignal): Promise<Offer[]> {
  const found: Offer[] = [];
  for (const kind of place.offers) {
    if (kind === 'operator') found.push(...operatorOffers(place.typed));
    else if (kind === 'field' || kind === 'name') found.push(...fieldOffers(place.typed, offers, kind));
    else if (place.field !== undefined) found.push(...(await valueOffers(place.field, place.typed, offers, signal)));
  }
  return found.slice(0, MOST);
}

function operatorOffers(typed: string): Offer[] {
  return operators
    .filter((word) => word.startsWith(typed.toUpperCase()) && word !== typed)
    .map((word) => ({ label: word, insert: `${word} `, goesOn: false }));
}

/** Names that begin with what was typed before those that only hold it. One that is a value itself has no colon. */
function fieldOffers(typed: string, { fields }: Offers, kind: 'field' | 'name'): Offer[] {
  const wanted = typed.toLowerCase();
  const matching = fields.filter(({ name }) => name.toLowerCase().includes(wanted));
  const rank = (name: string) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return matching
    .toSorted((a, b) => rank(a.name) - rank(b.name))
    .map(({ name, count }) => ({
      label: name,
      insert: kind === 'name' ? writeField(name) : `${writeField(name)}:`,
      goesOn: kind === 'field',
      ...(count === undefined ? {} : { detail: String(count) }),
    }));
}

async function valueOffers(field: string, typed: string, offers: Offers, signal: AbortSignal): Promise<Offer[]> {
  const values = await offers.values(field, typed, signal);
  return values
    .filter(({ value }) => value !== '')
    .map(({ value, count }) => ({ label: value, insert: writeValue(value), detail: String(count), goesOn: false }));
}
