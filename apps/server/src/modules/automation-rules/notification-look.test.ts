import type { JobContext } from '@airdeck/engine/interfaces';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNotificationsFixture, type NotificationsFixture } from '../notifications/notifications-fixture.ts';
import { createNotificationLook } from './notification-look.ts';

let fixture: NotificationsFixture;

beforeAll(async () => {
  fixture = await createNotificationsFixture();
});
afterAll(() => fixture?.close());

test('every Graylog with rules is looked at, once, however many there are', async () => {
  const count = 2_100;
  const tenant = await fixture.tenant();
  const { id: owner } = await fixture.person(tenant, 'Analyst');
  await fixture.db.system((tx) =>
    sql`
      with graylog as (
        insert into connector (id, tenant_id, definition_id, name, is_default, state, config)
        select gen_random_uuid(), ${tenant}, 'graylog', 'Logs', false, 'active', '{}' from generate_series(1, ${count})
        returning id
      )
      insert into automation_rule (id, tenant_id, name, connector_id, definition_id, definition_title, responses, enabled,
        notification_state, created_by, updated_by, owner_user_id, created_at, updated_at)
      select gen_random_uuid(), ${tenant}, 'Rule', g.id, 'd', 'D', '[]', true, 'attached', 'ann', 'ann', ${owner}, now(), now()
      from graylog g cross join generate_series(1, 2)`.execute(tx),
  );
  const looks: unknown[] = [];
  const unused = () => Promise.reject(new Error('Nothing is looked at here.'));
  const { dueJob } = createNotificationLook({
    ...{ db: fixture.db, now: () => fixture.clock.now, graylog: unused, want: unused },
    alertSources: { find: unused, ensure: unused, opened: unused } as never,
    enqueue: (_tx, job) => Promise.resolve(looks.push(job.dedupKey)),
  });
  await dueJob.run({} as JobContext);
  expect(looks).toHaveLength(count);
  expect(new Set(looks)).toHaveLength(count);
});
