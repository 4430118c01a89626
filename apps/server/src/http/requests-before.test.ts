import { expect, test } from 'vitest';
import { z } from 'zod';
import released from './released-requests.json' with { type: 'json' };
import { type Facts, factsOf, factsOfRequests } from './route-facts.ts';

/**
 * While processes are replaced, a dashboard of the release before asks this one, and one of this release asks the release
 * before, which refuses a field or a value it does not know. What that one takes is in `released-requests.json`, which
 * `npx tsx tools/note-release.ts` writes anew with every release.
 */
const before: Readonly<Record<string, Facts>> = released;

const leftOut = 'the dashboard leaves it out where it is refused as unknown (new-fields.ts)';
const sentWhole = 'the dashboard sends all of them where a part is refused (notification-preferences.ts)';
const notSent = 'the dashboard does not send it: it is there for scripts that send back what they read';
const refused = 'docs/deploy.md: refused until the process is replaced';

/** What may be sent now and was refused before, and what the dashboard of this release does about it. */
const newlyTaken: Readonly<Record<string, string>> = {
  'actions-activity.list query.action': 'the dashboard searches by the text of the action instead',
  'activity-report.csv query.table: "time_saved"': refused,
  'air.overview query.time_zone': 'the dashboard asks once more without: days of UTC',
  'cases.bulk body.change.unacknowledge': leftOut,
  'cases.bulk body.change.waiting_on_customer': leftOut,
  'cases.bulk body.matching.figure: "ended"': refused,
  'cases.bulk body.matching.figure: "false_positive"': refused,
  'cases.bulk body.matching.technique': refused,
  'cases.bulk body.seen[].time_acknowledged': leftOut,
  'cases.list query.figure: "ended"': refused,
  'cases.list query.figure: "false_positive"': refused,
  'cases.list query.technique': refused,
  'connectors.put body.*': notSent,
  'contacts.update body.*': notSent,
  'contacts.update body.updated_at: nothing': notSent,
  'contract.set body.replaces': leftOut,
  'contract.set-billing body.replaces': leftOut,
  'customers.update body.replaces': leftOut,
  'me.update body.notification_preferences.*: nothing': sentWhole,
  'me.update body.notification_preferences.kinds.*.*: nothing': sentWhole,
  'me.update body.notification_preferences.quiet_hours.*: nothing': sentWhole,
  'notifications.list query.cursor': 'sent only as an answer of this release gave it',
  'notifications.read body.up_to': leftOut,
  'playbook-activity.start body.case_id': leftOut,
  'playbooks.dry-run-draft body.playbook_id': leftOut,
  'policies.list query.start_time': refused,
  'settings.update body.brand.*: nothing': refused,
  'settings.update body.sign_in.*: nothing': refused,
  'sso.update body.updated_at': leftOut,
};

test('what the release before takes is taken still', () => {
  expect(noLongerTaken(before, factsOfRequests())).toEqual([]);
});

test('what it does not take yet is known, with what the dashboard does meanwhile', () => {
  const found = newlyTakenOf(before, factsOfRequests());
  const reasonOf = (fact: string) => [fact, fact.replace(/\.\w+(?=$|: )/, '.*')].find((each) => each in newlyTaken);
  expect(found.filter((fact) => reasonOf(fact) === undefined)).toEqual([]);
  expect(new Set(found.map(reasonOf)), 'no reason is left over').toEqual(new Set(Object.keys(newlyTaken)));
});

test('a field that is gone or must be sent now is seen, a value that is refused, and what is new', () => {
  const facts = (body: z.ZodType) => ({ route: factsOf(z.object({ body }), 'input') });
  const was = facts(
    z.object({ kind: z.enum(['a', 'b']), gone: z.string().optional(), name: z.string().optional(), by: z.string() }),
  );
  const is = facts(
    z.object({
      kind: z.enum(['a', 'c']),
      name: z.string(),
      must: z.object({ be: z.string() }),
      may: z.string().optional(),
      by: z.string().optional(),
    }),
  );
  expect(noLongerTaken(was, is)).toEqual([
    'route body.gone: gone',
    'route body.kind: "b"',
    'route body.must: must be sent',
    'route body.name: nothing',
  ]);
  expect(newlyTakenOf(was, is)).toEqual([
    'route body.by: nothing',
    'route body.kind: "c"',
    'route body.may',
    'route body.must',
  ]);
  expect(noLongerTaken(was, {})).toEqual(['route: gone']);
});

type AllFacts = Readonly<Record<string, Facts>>;

function noLongerTaken(old: AllFacts, now: AllFacts): string[] {
  return Object.entries(old).flatMap(([route, was]) => {
    const is = now[route];
    if (is === undefined) return [`${route}: gone`];
    const less = Object.entries(was).flatMap(([place, values]) =>
      is[place] === undefined
        ? [`${place}: gone`]
        : valuesMissing(values, is[place]).map((each) => `${place}: ${each}`),
    );
    const must = newPlaces(was, is).filter((place) => !is[place]?.split(' | ').includes('nothing'));
    return [...less, ...must.map((place) => `${place}: must be sent`)].map((fact) => `${route} ${fact}`).sort();
  });
}

function newlyTakenOf(old: AllFacts, now: AllFacts): string[] {
  return Object.entries(old).flatMap(([route, was]) => {
    const is = now[route] ?? {};
    const more = Object.entries(was).flatMap(([place, values]) =>
      valuesMissing(is[place] ?? '', values).map((each) => `${place}: ${each}`),
    );
    return [...more, ...newPlaces(was, is)].map((fact) => `${route} ${fact}`).sort();
  });
}

function valuesMissing(of: string, within: string): string[] {
  const known = new Set(within.split(' | '));
  return of.split(' | ').filter((each) => each !== '' && !known.has(each));
}

/** The outermost alone: what is in a new one comes with it. */
function newPlaces(was: Facts, is: Facts): string[] {
  return Object.keys(is).filter((place) => {
    const parent = place.endsWith('[]') ? place.slice(0, -2) : place.replace(/(^|\.)[^.]+$/, '');
    return !(place in was) && parent in was;
  });
}
