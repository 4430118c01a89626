import { expect, test } from 'vitest';
import { type RouteId, routeTable } from './route-table.ts';

/**
 * What comes of a POST that is sent again because its answer was lost. Every one of them is decided: a new route is keyed
 * (`IDEMPOTENCY_KEY_REUSED` among its errors, a row in `idempotency-key.test.ts` of the server), or stands in one of these
 * tables with its reason.
 */
type Reasons = { readonly [K in RouteId]?: string };

const naturallyIdempotent: Reasons = {
  'sso.check-domain': 'Looks at the record and notes what it says.',
  'onboarding.save': 'The id is in the path; what is there is replaced.',
  'notifications.read': 'What is read stays read.',
  'signup.invite': 'An invitation is accepted once; afterwards it is no invitation.',
  'marketplace.activate': 'A purchase opens one tenant and is activated once; the repeat finds it.',
  'marketplace.webhook': 'An operation of the marketplace is noted by its id.',
  'clerk.webhook': 'A notice is noted by its id.',
  'policies.roll-back': 'A policy that has this rule already stays as it is.',
  'policies.publish': 'A tenant has one copy of a policy, which is renewed.',
  'automation-rules.repair': 'What is right already stays as it is.',
  'playbooks.add-from-library': 'Copies that are there stay as they are.',
  'playbooks.publish': 'The draft of this revision is published once: the repeat is refused.',
  'playbooks.roll-back': 'A playbook whose last version is this one again stays as it is.',
  'playbook-activity.cancel': 'Cancelling what has ended changes nothing.',
  'actions-activity.cancel': 'Cancelling what has ended changes nothing.',
  'connectors.pause': 'A state, not a step.',
  'connectors.resume': 'A state, not a step.',
  'sources.rotate-token': 'The confirmation is for the token of its moment: the repeat is asked for another one.',
  'search-reports.cancel': 'Cancelling what has ended changes nothing.',
};

const signInOrOneTimeCode: Reasons = {
  'users.reset-password': 'Sessions end and a mail asks for a new password, a second time as well.',
};

const readsOnly: Reasons = {
  'sso.test': 'Reads what the issuer publishes.',
  'onboarding.reachability': 'Connects and says whether that worked.',
  'policies.validate': 'Stores nothing.',
  'policies.test': 'Stores nothing.',
  'policies.backtest': 'Stores nothing.',
  'playbooks.validate': 'Stores nothing.',
  'playbooks.import': 'Stores nothing.',
  'connectors.test': 'Reads from the vendor, and notes how that went.',
  'connectors.validate': 'Stores nothing.',
  'search.run': 'Stores nothing.',
  'search.fields': 'Stores nothing.',
};

/** Sent again, these do it again. What is said here is what is left behind, not why that would be right. */
const actsAgain: Reasons = {
  'notifications.test': 'Another test to the own address, a few per minute.',
  'telemetry.report': 'Page views counted twice.',
};

const tables = { naturallyIdempotent, signInOrOneTimeCode, readsOnly, actsAgain };

const postRoutes = (Object.keys(routeTable) as RouteId[]).filter((id) => routeTable[id].method === 'POST');
const isKeyed = (id: RouteId) =>
  (routeTable[id] as { errors?: readonly string[] }).errors?.includes('IDEMPOTENCY_KEY_REUSED') ?? false;

test('every POST route is keyed or in one table, so that nobody adds one whose repetition was not thought of', () => {
  const decided = [...postRoutes.filter(isKeyed), ...Object.values(tables).flatMap((table) => Object.keys(table))];
  expect(decided.toSorted()).toEqual(postRoutes.toSorted());
});
