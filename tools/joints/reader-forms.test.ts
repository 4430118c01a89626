/** What somebody sets for themself: home page, notifications, profile; and the settings of reports each month. */
import { notificationChannels, notificationKinds } from '@airdeck/contracts/notifications/schema';
import { periods } from '@airdeck/domain/period';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fitting } from '../../apps/dashboard/src/components/widgets/widget-changes.ts';
import {
  defaultWidgets,
  freeId,
  MOST_COLUMNS,
  type Widget,
  type WidgetType,
  widgetOf,
  widgetShapes,
  widgetTypes,
  withSpan,
} from '../../apps/dashboard/src/components/widgets/widgets.ts';
import { firstStepsOf, kept, parseHidden, parseWidgets } from '../../apps/dashboard/src/features/home/widget-store.ts';
import { localeChoices } from '../../apps/dashboard/src/features/report/executive/locale-choices.ts';
import { contactBodyOf, emptyContact } from '../../apps/dashboard/src/features/settings/contacts/contact-fields.ts';
import {
  digestOptions,
  isNothing,
  changeOf as preferencesChangeOf,
  problemsOf,
  withSwitch,
} from '../../apps/dashboard/src/features/settings/notifications/preferences.ts';
import {
  changeOf,
  fieldsOf,
  localeOptions,
} from '../../apps/dashboard/src/features/settings/profile/profile-fields.ts';
import { BROWSER_ZONE, zoneOptions } from '../../apps/dashboard/src/lib/time-zones.ts';
import { contactMutations } from '../../apps/dashboard/src/queries/contacts.ts';
import {
  type ExecutiveSettingsBody,
  executiveReportMutations,
  executiveReportQueries,
} from '../../apps/dashboard/src/queries/executive-reports.ts';
import { homeMutations, homeQueries } from '../../apps/dashboard/src/queries/home.ts';
import { meMutations, type ProfileChange } from '../../apps/dashboard/src/queries/me.ts';
import { currentUserQuery } from '../../apps/dashboard/src/session/current-user.ts';
import { type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct('Admin');
});
afterAll(() => product?.close());

describe('the home page', () => {
  async function saved(widgets: readonly Widget[], hidden: readonly string[] = []) {
    const { queryClient, tenantApi } = product;
    const saving = homeMutations.saveLayout(tenantApi.api, queryClient);
    await queryClient.getMutationCache().build(queryClient, saving).execute(kept({ widgets, hidden }));
    const layout = await queryClient.fetchQuery({ ...homeQueries.layout(tenantApi.api), staleTime: 0 });
    return { widgets: parseWidgets(layout.widgets, layout.known), hidden: parseHidden(layout.known) };
  }

  /** One of a type in every room it may take and of every period. */
  function everyWidget(type: WidgetType): Widget[] {
    const { leastRows, mostRows } = widgetShapes[type];
    const rooms = Array.from({ length: MOST_COLUMNS }, (_, at) => [leastRows, mostRows].map((rows) => [at + 1, rows]));
    const widgets: Widget[] = [];
    const add = (change: (widget: Widget) => Widget) => widgets.push(change(widgetOf(type, freeId(widgets, type))));
    for (const [columns = 1, rows = 1] of rooms.flat()) {
      add((widget) => ({ ...widget, data: { ...widget.data, ...fitting(type, { columns, rows }) } }));
    }
    for (const period of periods) {
      const range = { from: '2026-11-01', to: '2026-11-30' };
      add((widget) => withSpan(widget, period === 'CUSTOM' ? { period, range } : { period }));
    }
    add((widget) => ({ ...widget, data: { ...widget.data, name: 'Ours' } }));
    return widgets;
  }

  test.each(widgetTypes)('keeps widgets of type %s in every room and of every period', async (type) => {
    const shown = { widgets: everyWidget(type), hidden: [firstStepsOf(product.tenantApi.tenantId)] };
    const opened = await saved(shown.widgets, shown.hidden);
    expect(opened).toEqual(shown);
    expect(await saved(opened.widgets, opened.hidden)).toEqual(shown);
  });

  test('keeps an empty page, and goes back to the usual one', async () => {
    expect((await saved([])).widgets).toEqual([]);
    expect((await saved(defaultWidgets)).widgets).toEqual(defaultWidgets);
  });
});

async function changed(change: ProfileChange) {
  const { queryClient, tenantApi } = product;
  const saving = meMutations.update(tenantApi.api, queryClient);
  await queryClient.getMutationCache().build(queryClient, saving).execute(change);
  return (await queryClient.fetchQuery({ ...currentUserQuery(tenantApi.api), staleTime: 0 })).user;
}

describe('notifications', () => {
  test.each(notificationKinds)('of "%s" go where they were switched on', async (kind) => {
    const { notification_preferences: before } = await changed({});
    for (const channel of notificationChannels) {
      for (const on of [true, false]) {
        const preferences = {
          ...withSwitch(before, kind, { [channel]: on }),
          webhook_url: 'https://hooks.example.com/air',
        };
        expect(problemsOf(preferences)).toEqual({});
        const { notification_preferences: now } = await changed({ notification_preferences: preferences });
        expect(isNothing(preferencesChangeOf(now, preferences))).toBe(true);
      }
    }
  });

  test.each(digestOptions.map(({ value }) => value))('leave "%s", outside of quiet hours', async (digest) => {
    const { notification_preferences: before } = await changed({});
    const quiet_hours = { enabled: true, from: '22:00', to: '06:30' };
    const preferences = { ...before, digest, quiet_hours };
    expect(problemsOf(preferences)).toEqual({});
    const { notification_preferences: now } = await changed({ notification_preferences: preferences });
    expect(isNothing(preferencesChangeOf(now, preferences))).toBe(true);
  });
});

describe('the profile', () => {
  test.each(localeOptions.map(({ value }) => value))('is kept in %s with every part of it', async (locale) => {
    const before = fieldsOf(await changed({}));
    const fields = { ...before, fullname: `Ana ${locale}`, phone: '+55 11 5555 0100', job_title: 'Analyst', locale };
    const change = changeOf(before, fields);
    if (change === undefined) throw new Error('Nothing was changed.');
    expect(fieldsOf(await changed(change))).toEqual(fields);
    expect(changeOf(fields, fieldsOf(await changed({})))).toBeUndefined();
  });

  test('takes every time zone the form offers', async () => {
    const zones = zoneOptions('').map(({ value }) => (value === BROWSER_ZONE ? '' : value));
    for (const timezone of zones.filter((_, index) => index % 12 === 0)) {
      expect((await changed({ timezone })).timezone).toBe(timezone);
    }
  });
});

test.each([null, ...localeChoices.map(({ value }) => value)])('reports each month are kept in %s', async (locale) => {
  const { queryClient, tenantApi, intent } = product;
  const creating = contactMutations.create(tenantApi, queryClient, intent);
  const contact = contactBodyOf({ ...emptyContact, name: `Ana ${locale}`, email: 'ana@example.com' });
  await queryClient.getMutationCache().build(queryClient, creating).execute(contact);
  const people = await queryClient.fetchQuery({ ...executiveReportQueries.recipients(tenantApi), staleTime: 0 });
  const read = async () => {
    const settings = await queryClient.fetchQuery({ ...executiveReportQueries.settings(tenantApi), staleTime: 0 });
    const { enabled, contact_ids, user_ids, time_zone, updated_at } = settings;
    return { enabled, locale: settings.locale, contact_ids, user_ids, time_zone, updated_at };
  };
  const saving = executiveReportMutations.setSettings(tenantApi, queryClient);
  const save = async (body: ExecutiveSettingsBody) => {
    await queryClient.getMutationCache().build(queryClient, saving).execute(body);
    const { updated_at: _, ...kept } = await read();
    const { updated_at: __, ...sent } = body;
    expect(kept).toEqual(sent);
  };
  const contact_ids = people.contacts.map(({ id }) => id);
  const user_ids = people.users.map(({ id }) => id);
  expect([contact_ids.length > 0, user_ids.length > 0]).toEqual([true, true]);
  await save({ ...(await read()), enabled: true, locale, contact_ids, user_ids });
  await save(await read());
  await save({ ...(await read()), enabled: false, contact_ids: [], user_ids: [] });
});
