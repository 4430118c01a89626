import { describe, expect, it } from 'vitest';
import { hasRole, roles } from './access/roles.ts';
import type { Route } from './route.ts';
import { routeTable } from './route-table.ts';

/**
 * Who may call what (specification, chapter 6), written down a second time on purpose: the guards, the screens and the sweep of
 * every route all follow the table, so a row that lets in more people than before would be believed by all of them.
 */
const calledBy = {
  public: `
    system.config system.live system.ready system.openapi system.demo-accounts system.outbox files.download
    marketplace.webhook clerk.webhook search-reports.download executive-reports.download
  `,
  source: `
    sources.ingest
  `,
  identity: `
    signup.invite marketplace.details marketplace.activate
  `,
  signed_in: `
    system.demo-connections me.get me.update me.delete home-layout.get home-layout.save api-keys.list
    api-keys.create api-keys.revoke overview.list notifications.webhook-secret notifications.slack
    notifications.set-slack notifications.remove-slack notifications.test
  `,
  ReadOnly: `
    stream.subscribe tenants.get notifications.list notifications.read dashboards.get first-steps.get cases.list
    cases.of-event cases.get cases.export cases.pdf case-suppressions.list case-sla.get air.overview policies.list
    policies.get policies.versions policies.source-text rule-responses.list rule-responses.history
    playbook-activity.list playbook-activity.get playbook-activity.action prompts.get actions-activity.list
    actions-activity.get actions.run-now integrations.list integrations.get connectors.list activity-report.get
    activity-report.csv log-report.get log-report.usage log-report.csv telemetry.report
  `,
  'ReadOnly is_search_enabled': `
    search-reports.list search-reports.schedules search-reports.link
  `,
  'ReadOnly is_mdr_enabled': `
    executive-reports.list executive-reports.link executive-reports.csv
  `,
  Analyst: `
    users.list cases.create cases.bulk cases.update case-suppressions.end policies.create policies.update
    policies.delete policies.roll-back policies.import policies.validate policies.test policies.backtest
    policies.publications policies.publish rule-responses.create rule-responses.dry-run rule-responses.replace
    rule-responses.switch rule-responses.delete rule-responses.order automation-rules.list automation-rules.create
    automation-rules.get automation-rules.change automation-rules.delete automation-rules.repair
    automation-rules.history playbooks.list playbooks.get playbooks.create playbooks.library
    playbooks.add-from-library playbooks.validate playbooks.import playbooks.dry-run-draft playbooks.delete
    playbooks.draft playbooks.save-draft playbooks.discard-draft playbooks.publish playbooks.versions
    playbooks.roll-back playbooks.used-by playbooks.export playbooks.duplicate playbooks.dry-run
    playbook-activity.start playbook-activity.cancel playbook-activity.retry prompts.answer actions-activity.start
    actions-activity.cancel actions-activity.retry actions.list actions.get sources.list
  `,
  'Analyst is_search_enabled': `
    search.run search.fields search.values search.scopes search.event search.tail search.saved-list
    search.saved-create search.saved-update search.saved-delete search-reports.export search-reports.create-schedule
    search-reports.recipients search-reports.set-schedule search-reports.delete-schedule search-reports.delete
    search-reports.cancel search-reports.run-again
  `,
  'Analyst is_mdr_enabled': `
    executive-reports.create
  `,
  SystemManager: `
    onboarding.air-ip onboarding.list onboarding.save onboarding.delete onboarding.reachability openapi.upload
    openapi.list openapi.import openapi.delete connectors.put connectors.get connectors.update connectors.delete
    connectors.test connectors.pause connectors.resume connectors.health connectors.validate sources.create
    sources.update sources.rotate-token sources.delete
  `,
  Admin: `
    users.invite users.update users.set-role users.remove users.reset-password settings.get settings.update sso.list
    sso.create sso.update sso.delete sso.test sso.domains sso.check-domain own-networks.get own-networks.put
    customers.list customers.create customers.update customers.usage customers.roles customers.set-role
    contacts.list contacts.create contacts.update contacts.delete contract.get contract.set contract.download
    contract.upload contract.delete-file contract.billing contract.set-billing audit.list audit.verify audit.export
    case-sla.update telemetry.usage operations.get
  `,
  'Admin is_mdr_enabled': `
    executive-reports.settings executive-reports.set-settings executive-reports.recipients executive-reports.delete
  `,
};

function accessOf({ access }: Route): string {
  if (access.kind !== 'tenant') return access.kind;
  return access.plan === undefined ? access.role : `${access.role} ${access.plan}`;
}

describe('access to routes', () => {
  it('is what was decided, row by row', () => {
    const decided = Object.entries(calledBy).flatMap(([access, ids]) =>
      ids
        .trim()
        .split(/\s+/)
        .map((id) => [id, access]),
    );
    const stands = Object.entries(routeTable).map(([id, route]) => [id, accessOf(route)]);
    expect(Object.fromEntries(stands)).toEqual(Object.fromEntries(decided));
  });

  it('ranks roles as the specification does', () => {
    const ranks = { ReadOnly: 1, Analyst: 2, SystemManager: 3, Admin: 4 };
    expect([...roles].sort()).toEqual(Object.keys(ranks).sort());
    for (const role of roles)
      for (const required of roles) expect(hasRole(role, required)).toBe(ranks[role] >= ranks[required]);
  });
});
