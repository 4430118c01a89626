import { expect, test } from 'vitest';
import { createAppRouter } from '../router.ts';
import { openApp } from '../test-app.tsx';

type Validate = (search: Record<string, unknown>) => Record<string, unknown>;

const { app, router: real } = openApp('/');
const checked = Object.values(createAppRouter(app, real.history).routesById).flatMap((route) => {
  const { validateSearch } = route.options as { validateSearch?: Validate };
  return validateSearch === undefined ? [] : [{ id: String(route.id), validateSearch }];
});

/** Parameters a route asks for. */
function namesReadBy(validate: Validate): string[] {
  const read = new Set<string>();
  validate(new Proxy({}, { get: (_target, name) => void read.add(String(name)) }));
  return [...read];
}

/** Texts for fields whose names only the screen knows; it fills in those it has. */
const texts = new Set(['/_dashboard/actions/ input']);

const hostile = { evil: '<img src=x onerror=alert(1)>' };

test('all routes with parameters are looked at', () => {
  expect(checked.length).toBeGreaterThan(12);
});

test.each(checked)(
  '$id: what is typed into a parameter never reaches the screen unchecked',
  ({ id, validateSearch }) => {
    const names = namesReadBy(validateSearch).filter((name) => !texts.has(`${id} ${name}`));
    expect(names.length).toBeGreaterThan(0);
    const typed = Object.fromEntries(names.map((name) => [name, hostile]));
    // As the router does it: the checked search is laid over what was typed.
    const seen = { ...typed, ...validateSearch(typed) };
    for (const name of names) {
      expect(seen[name], name).not.toBe(hostile);
      expect(JSON.stringify(seen[name] ?? null), name).not.toContain('onerror');
    }
  },
);

test('an address with values no screen knows is read as one without them', async () => {
  const address = `/air/case-management?${new URLSearchParams({
    startTime: 'yesterday',
    page: '0',
    case: '../../me',
    sort: 'name',
    filters: JSON.stringify({ status: ['lost'] }),
    q: JSON.stringify({ toString: 1 }),
    forceCache: 'perhaps',
    tenant: JSON.stringify(['x']),
  })}`;
  const { router } = openApp(address);
  const matches = router.matchRoutes(router.parseLocation(router.history.location));
  const search: Record<string, unknown> = matches.at(-1)?.search ?? { missing: true };
  expect(Object.entries(search).filter(([, value]) => value !== undefined)).toEqual([]);
});
