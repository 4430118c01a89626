import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import released from './released-answers.json' with { type: 'json' };
import { type Facts, factsOf, factsOfAnswers } from './route-facts.ts';

/**
 * While processes are replaced, a dashboard of the release before is answered by this one, one of this release by the release
 * before, and the release before answers with what this one stored, or refuses to where its schema does not know the value.
 * Its answers are in `released-answers.json`, which `npx tsx tools/note-release.ts` writes anew with every release.
 */
const before: Readonly<Record<string, Facts>> = released;

/** What answers may say now and did not, by field: why that is no harm, or where `docs/deploy.md` says what to do. */
const alsoSaid: Readonly<Record<string, string>> = {
  'kind: "work_stalled"': 'docs/deploy.md: notices the release before has no words for',
  'cut_by: "plan"': 'docs/deploy.md: exports the plan cut',
  'reason: "never"': 'worked out where it is asked for; the table of the release before leaves the words empty',
};

/** Fields every answer has now, and what a dashboard of this release does while the release before answers without. */
const newFields: Readonly<Record<string, string>> = {
  severity_history: 'no screen reads it',
  activity_left_out: 'a file for people',
  oldest_known: 'says that the oldest event is not known',
  stood_s: 'a case that stood still is shown as soon due too early',
  cursor: 'the first page of suppressed groups and the newest notifications are shown, as before',
  source_counts: 'the log report cannot be shown until it is asked again',
  stalled: 'left out',
  archive: 'left out',
  operations: 'what is imported again begins with nothing chosen',
  usable_in_s: 'a demo account is signed in with the code that is shown, as before',
  repeated_24h: 'nothing is said of repeated deliveries',
};

describe('answers of this release beside those of the release before', () => {
  const now = factsOfAnswers();

  it('has all its routes and fields, and says nothing in them that it would not have said', () => {
    const more = differences(before, now);
    expect(more.filter((each) => !(each.fact in alsoSaid))).toEqual([]);
    expect(new Set(more.map(({ fact }) => fact)), 'no reason is left over').toEqual(new Set(Object.keys(alsoSaid)));
  });

  it('can be asked by its dashboard where fields are missing that it has not had', () => {
    const fields = missingBefore(before, now);
    expect(fields.filter(({ field }) => !(field in newFields))).toEqual([]);
    expect(new Set(fields.map(({ field }) => field)), 'no reason is left over').toEqual(
      new Set(Object.keys(newFields)),
    );
  });

  it('sees a value more, a field that may be left out, one that is gone, and one that is new', () => {
    const was = {
      list: factsOf(
        z.object({ items: z.array(z.object({ state: z.enum(['a', 'b']), at: z.string(), by: z.string() })) }),
      ),
    };
    const is = {
      list: factsOf(
        z.object({
          items: z.array(
            z.object({ state: z.enum(['a', 'b', 'c']).nullable(), at: z.string().optional(), on: z.string() }),
          ),
        }),
      ),
    };
    expect(differences(was, is).map(({ place, fact }) => `${place} ${fact}`)).toEqual([
      'items[].at at: nothing',
      'items[].by by: gone',
      'items[].state state: "c"',
      'items[].state state: null',
    ]);
    expect(missingBefore(was, is).map(({ place }) => place)).toEqual(['items[].on']);
    expect(differences(was, {})).toEqual([{ route: 'list', place: '', fact: 'list: gone' }]);
  });

  it('takes of alternatives what any of them allows, and what contains itself once', () => {
    const either = z.union([z.object({ kind: z.literal('a'), one: z.string() }), z.object({ kind: z.literal('b') })]);
    expect(factsOf(either)).toEqual({ '': 'object', kind: '"a" | "b"', one: 'nothing | text' });
    type Tree = { name: string; below: Tree[] };
    const tree: z.ZodType<Tree> = z.object({ name: z.string(), below: z.lazy(() => z.array(tree)) });
    expect(factsOf(z.object({ tree: tree.nullable() }))).toMatchObject({
      tree: 'null | object',
      'tree.name': 'text',
      'tree.below': 'list',
    });
  });
});

type Difference = { route: string; place: string; fact: string };

function differences(old: Readonly<Record<string, Facts>>, now: Readonly<Record<string, Facts>>): Difference[] {
  return Object.entries(old).flatMap(([route, places]) => {
    const found = now[route];
    if (found === undefined) return [{ route, place: '', fact: `${route}: gone` }];
    return Object.entries(places).flatMap(([place, was]) => {
      const known = new Set(was.split(' | '));
      const more = (found[place] ?? 'gone').split(' | ').filter((each) => !known.has(each));
      return more.map((each) => ({ route, place, fact: `${fieldOf(place)}: ${each}` }));
    });
  });
}

/** The outermost fields alone: what is in a new one comes with it. */
function missingBefore(
  old: Readonly<Record<string, Facts>>,
  now: Readonly<Record<string, Facts>>,
): { route: string; place: string; field: string }[] {
  return Object.entries(now).flatMap(([route, places]) => {
    const known = old[route];
    if (known === undefined) return [];
    return Object.entries(places)
      .filter(([place, is]) => !(place in known) && parentOf(place) in known && !is.split(' | ').includes('nothing'))
      .map(([place]) => ({ route, place, field: fieldOf(place) }));
  });
}

function fieldOf(place: string): string {
  return place.split('.').at(-1) ?? place;
}

function parentOf(place: string): string {
  return place.endsWith('[]') ? place.slice(0, -2) : place.replace(/(^|\.)[^.]+$/, '');
}
