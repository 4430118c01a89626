import type { Criterion } from '@airdeck/contracts/policies/schema';
import { contains, equals } from '../starters/starter.ts';
import { any, is, matches, not, startsWith, type VerdictRules } from './verdict-criteria.ts';

const action = (...names: string[]): Criterion => is('fields.action', ...names);

const matchesIn = (fields: string[], value: string): Criterion => any(...fields.map((field) => matches(field, value)));

export const gitHubAndOktaVerdicts: VerdictRules = {
  'GitHub.Branch.ProtectionDisabled': [action('protected_branch.destroy')],
  'GitHub.Org.IpAllowlist': [startsWith('fields.action', 'ip_allow_list')],
  'GitHub.Org.Moderators.Add': [action('organization_moderators.add_user')],
  'GitHub.Org.Modified': [action('org.add_member', 'org.remove_member')],
  'GitHub.Repo.RulesetModified': [startsWith('fields.action', 'repository_ruleset.')],
  'GitHub.User.RoleUpdated': [action('org.update_member')],
  'GitHub.Webhook.Modified': [startsWith('fields.action', 'hook.')],
  'Github.Organization.App.Integration.Installed': [action('integration_installation.create')],
  'Github.Public.Repository.Created': [action('repo.create'), equals('visibility', 'public')],
  'Github.Repo.VisibilityChange': [action('repo.access')],
  'Okta.Global.MFA.Disabled': [equals('eventType', 'system.mfa.factor.deactivate')],
  'Okta.Login.Success': [equals('eventType', 'user.session.start'), equals('outcome', 'success')],
  'Okta.Support.Access': [startsWith('eventType', 'user.session.impersonation.')],
  'GitHub.SupplyChain.SuspiciousUserAgents': [
    matches('user_agent', String.raw`\b(npm|yarn|pip|rubygems|cargo)/`),
    not(action('git.clone', 'git.fetch')),
  ],
  'GitHub.Webhook.MaliciousCommitContent': [
    matchesIn(
      ['commits.message', 'commits.author.name', 'commits.author.email'],
      String.raw`\$\(|\x60|/bin/(ba)?sh\b|\beval\s*\(`,
    ),
  ],
  'GitHub.Webhook.WorkflowArtifactDownload': [
    action('completed'),
    matches('workflow_job.steps.name', '(download|restore).*artifact'),
  ],
  'GitHub.Webhook.WorkflowContainsCheckout': [action('completed'), contains('workflow_job.steps.name', 'checkout')],
};
