import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionContext, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { okta } from './okta.ts';

const shared = process.env.AIRDECK_SHARED_DATA ?? resolve(import.meta.dirname, '../../../../../shared/data');
const file = resolve(shared, 'specs/okta_management.json');
const isThere = existsSync(file);

type Operation = { parameters?: JsonObject[]; responses: JsonObject };
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, JsonObject>;
    schemas: Record<string, { properties?: JsonObject; enum?: string[] }>;
  };
};

describe.skipIf(!isThere)(
  `Okta connector and stand-in against the public description${isThere ? '' : ' (AIRDECK_SHARED_DATA not found)'}`,
  () => {
    let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
    let description: Description;
    beforeAll(async () => {
      description = JSON.parse(readFileSync(file, 'utf8')) as Description;
      fixture = await startVendorFixture();
    });
    afterAll(() => fixture?.close());

    const context = (input: JsonObject = {}) => ({
      ...actionContext(fixture.egress, {
        config: { base_url: `${fixture.sandbox.url}/okta`, api_token: sandboxKeys.okta },
        input,
      }),
      now: () => new Date(),
    });

    /** The operation a call is one of; templates with fewer placeholders go first. */
    function operationOf(method: string, path: string): Operation | undefined {
      const fitting = Object.keys(description.paths)
        .filter((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
        .toSorted((a, b) => a.split('{').length - b.split('{').length);
      return description.paths[fitting[0] ?? '']?.[method.toLowerCase()];
    }

    function parameterNames({ parameters = [] }: Operation): string[] {
      return parameters.map((parameter) => {
        const name = String(parameter.$ref ?? '')
          .split('/')
          .at(-1);
        return String(
          name === undefined || name === '' ? parameter.name : description.components.parameters[name]?.name,
        );
      });
    }

    it('sends only what is described and answers only with described statuses', async () => {
      const { users } = await runAll('list_users', { search: 'profile.login eq "nobody@example.com"' });
      expect(users).toEqual([]);
      const login = String(((await runAll('list_users', { limit: 1 })).users as JsonObject[])[0]?.login);
      for (const verb of [
        'get_user',
        'suspend_user',
        'unsuspend_user',
        'unlock_user',
        'clear_sessions',
        'expire_password',
      ]) {
        await runAll(verb, { user: login });
      }
      await runAll('suspend_user', { user: login }).catch(() => undefined);
      await runAll('get_user', { user: 'nobody@example.com' }).catch(() => undefined);
      await runAll('list_system_log', { words: 'login', filter: 'eventType eq "user.session.start"' });
      await okta.fetchEvents?.({ ...context(), options: {}, cursor: null });

      let described = 0;
      for (const call of fixture.sandbox.state().calls) {
        const url = new URL(call.path, 'https://okta.example');
        const operation = operationOf(call.method, url.pathname);
        if (operation === undefined) continue;
        described += 1;
        const names = parameterNames(operation);
        for (const name of url.searchParams.keys()) expect(names, call.path).toContain(name);
        expect(Object.keys(operation.responses), call.path).toContain(String(call.status));
      }
      expect(described).toBeGreaterThan(12);
    });

    it('has log entries and users of the described form', async () => {
      const { events } = await runAll('list_system_log', {});
      const allowed = Object.keys(description.components.schemas.LogEvent?.properties ?? {});
      for (const event of events as JsonObject[]) {
        for (const field of Object.keys(event)) expect(allowed).toContain(field);
      }
      const answer = await fetch(`${fixture.sandbox.url}/okta/api/v1/users/me`, {
        headers: { authorization: `SSWS ${sandboxKeys.okta}` },
      });
      const user = (await answer.json()) as JsonObject;
      const known = Object.keys(description.components.schemas.User?.properties ?? {});
      for (const field of Object.keys(user)) expect(known).toContain(field);
      expect(description.components.schemas.UserStatus?.enum).toContain(user.status);
    });

    async function runAll(verb: string, input: JsonObject): Promise<JsonObject> {
      const action = okta.actions.find(({ action_id }) => action_id === `okta.${verb}`);
      return (await action?.run(context(input))) ?? {};
    }
  },
);
