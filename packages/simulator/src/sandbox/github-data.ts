export const GITHUB_ORG = 'example-org';

export type GithubIssue = {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly comments: string[];
};

export type GithubMemory = {
  readonly accounts: ReadonlySet<string>;
  readonly members: Set<string>;
  readonly blocked: Set<string>;
  readonly issues: GithubIssue[];
  lastIssue: number;
  readonly auditLog: Record<string, unknown>[];
  /** By the segment of the path: `secret-scanning`. */
  readonly alerts: Readonly<Record<string, Record<string, unknown>[]>>;
  /** Calls that still meet a secondary limit. */
  secondaryLimit: number;
};

const people = ['ada-abend', 'bo-birkfeld', 'carla-corvin', 'dilan-dahlmann'] as const;
const outsiders = ['mallory-example', 'octocat'] as const;

const actions = [
  'git.clone',
  'repo.access',
  'org.update_member',
  'workflows.created_workflow_run',
  'repo.download_zip',
];
const SEEDED_ENTRIES = 120;
const ENTRY_EVERY_MS = 600_000;

/** An organization with a quiet day behind it. */
export function createGithubMemory(now: Date): GithubMemory {
  return {
    accounts: new Set([...people, ...outsiders]),
    members: new Set(people),
    blocked: new Set(),
    issues: [],
    lastIssue: 0,
    auditLog: Array.from({ length: SEEDED_ENTRIES }, (_, index) => seededEntry(index, now)),
    alerts: {
      'secret-scanning': [secretAlert(now)],
      'code-scanning': [codeAlert(now)],
      dependabot: [dependabotAlert(now)],
    },
    secondaryLimit: 0,
  };
}

function seededEntry(index: number, now: Date): Record<string, unknown> {
  const at = now.getTime() - (SEEDED_ENTRIES - index) * ENTRY_EVERY_MS;
  return {
    '@timestamp': at,
    _document_id: `seed-${index}`,
    action: actions[index % actions.length],
    actor: people[index % people.length],
    actor_location: { country_code: 'DE' },
    created_at: at,
    org: GITHUB_ORG,
    repo: `${GITHUB_ORG}/app`,
  };
}

function common(now: Date, number: number): Record<string, unknown> {
  const at = new Date(now.getTime() - 7_200_000).toISOString().replace(/\.\d{3}Z$/, 'Z');
  return {
    number,
    state: 'open',
    created_at: at,
    updated_at: at,
    repository: { full_name: `${GITHUB_ORG}/app`, private: true },
    html_url: `https://github.com/${GITHUB_ORG}/app/security/${number}`,
  };
}

function secretAlert(now: Date): Record<string, unknown> {
  return {
    ...common(now, 7),
    secret_type: 'example_api_key',
    secret_type_display_name: 'Example API Key',
    secret: 'example-literal-that-must-not-travel',
  };
}

function codeAlert(now: Date): Record<string, unknown> {
  return {
    ...common(now, 3),
    rule: {
      id: 'js/sql-injection',
      description: 'Query built from user-controlled sources',
      security_severity_level: 'high',
    },
  };
}

function dependabotAlert(now: Date): Record<string, unknown> {
  return {
    ...common(now, 5),
    security_advisory: { ghsa_id: 'GHSA-xxxx-xxxx-xxxx', summary: 'Example weakness', severity: 'critical' },
  };
}
