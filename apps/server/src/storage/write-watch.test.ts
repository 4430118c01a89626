import { describe, expect, it } from 'vitest';
import { createWriteWatch } from './write-watch.ts';

describe('writes that are watched', () => {
  it.each<[string, boolean]>([
    ['insert into "membership" ("tenant_id") values ($1)', true],
    ['UPDATE membership SET role = $1', true],
    ['update  only public.membership set role = $1', true],
    ['with gone as (delete from "membership" where user_id = $1 returning *) select * from gone', true],
    ['update\n  app_user u set home_tenant_id = $1', true],
    ['merge into membership m using x on true when matched then delete', true],
    ['select * from membership for update', false],
    ['insert into membership_history select * from membership', false],
    ['update "other"."membership" set a = 1', false],
    ['delete from invitation where membership = $1', false],
  ])('%s: %s', (statement, isWrite) => {
    const watch = createWriteWatch();
    const handler = () => undefined;
    watch.watch(['membership', 'app_user'], handler);
    expect(watch.handlersOf(statement)).toEqual(isWrite ? [handler] : []);
    expect(watch.handlersOf(statement)).toEqual(isWrite ? [handler] : []);
  });

  it('end when their watch ends', () => {
    const watch = createWriteWatch();
    const end = watch.watch(['membership'], () => undefined);
    expect(watch.handlersOf('delete from membership')).toHaveLength(1);
    end();
    expect(watch.handlersOf('delete from membership')).toEqual([]);
  });
});
