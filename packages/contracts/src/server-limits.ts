/** Sizes and bounds the server alone looks at (spec §9), so that no browser loads them. Units are in the names. */
export const serverLimits = {
  policiesMax: 5_000,
  /** Cases one policy opens within an hour; what it finds beyond them is collected in one case. */
  casesPerPolicyHour: 2_000,
  ruleResponsesMax: 2000,
  automationRulesMax: 500,
  /** Cases one policy, or alerts one rule, answers with starts within `automationWindowS`; an operator may set another. */
  automationAnswersMax: 500,
  /** Also how long an automation that was stopped starts nothing. */
  automationWindowS: 600,
  /** A stop this long after the one before is told anew. */
  automationIncidentS: 3_600,
  /** Runs of a tenant that have not ended; an operator may set another. */
  openRunsMax: 20_000,
  /** Days after its end that a run is kept; an operator may set another. Reports reach a year back. */
  runsKeptDays: 400,
  /** Runs of playbooks one person starts in one tenant. */
  runStartsPerMinute: 600,
  caseExportEventsMax: 5000,
  caseExportCharactersMax: 16_777_216,
  caseExportStoryMax: 10_000,
  jsonBodyMaxBytes: 1_048_576,
  /** In all objects of a body together: what a megabyte of them costs, every other call waits for. */
  jsonKeysMax: 10_000,
  ingestBodyMaxBytes: 16 * 1_048_576,
  ingestInflatedMaxBytes: 32 * 1_048_576,
  ingestRecordsMax: 50_000,
  eventLineMaxBytes: 262_144,
  contactsMax: 1000,
  connectorsMax: 500,
  sourcesMax: 500,
  /** Integrations made of the description of an API. */
  ownIntegrationsMax: 50,
  ssoConnectionsMax: 20,
  contractFilesMax: 100,
  onboardingsMax: 100,
  /** Of one person. */
  apiKeysMax: 50,
  passkeysMax: 10,
  /** Addresses a tenant invites, and mails to one of them. */
  invitationsPerHour: 200,
  invitationsPerAddressHour: 5,
  /** Open screens that refresh themselves: of one person, and of everybody at one process. */
  streamsMax: 20,
  streamsPerProcessMax: 5_000,
  /** Live tails of searches: of one person in a tenant, of the tenant, and of everybody; each at one process. */
  tailsMax: 3,
  tailsPerTenantMax: 6,
  tailsPerProcessMax: 60,
  /** Longest answer to `synchronous_action`; the action may go on after it. */
  synchronousActionMaxS: 30,
  playbooksMax: 500,
} as const;
