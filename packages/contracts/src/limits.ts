/** Sizes and bounds both sides know (spec §9 and api.md). Units are in the names. */
export const limits = {
  listDefault: 25,
  listMax: 100,
  usersMax: 1000,
  playbookActivityPageSize: 15,
  actionActivityPageSize: 25,
  policiesPageSize: 20,
  policiesMax: 5_000,
  /** Cases one policy opens within an hour; what it finds beyond them is collected in one case. */
  casesPerPolicyHour: 2_000,
  ruleResponsesPageSize: 10,
  ruleResponsesPerPolicy: 100,
  ruleResponsesMax: 2000,
  automationRulesPageSize: 20,
  automationRulesMax: 500,
  automationResponsesMax: 20,
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
  casesDefault: 5,
  /** Cases one bulk call takes on. */
  casesBulkMax: 200,
  caseExportEventsMax: 5000,
  dashboardDefault: 25,
  dashboardAlertsMax: 100,
  homeWidgetsMax: 40,
  /** Types of widgets, and the first steps of tenants, a home page knows of. */
  homePartsMax: 500,
  jsonBodyMaxBytes: 1_048_576,
  ingestBodyMaxBytes: 16 * 1_048_576,
  ingestInflatedMaxBytes: 32 * 1_048_576,
  ingestRecordsMax: 50_000,
  eventLineMaxBytes: 262_144,
  searchTextMax: 500,
  commentMax: 10_000,
  caseTagsMax: 30,
  contactsMax: 1000,
  connectorsMax: 500,
  /** Longest answer to `synchronous_action`; the action may go on after it. */
  synchronousActionMaxS: 30,
  contractFileMaxBytes: 20 * 1_048_576,
  playbookYamlMaxBytes: 1_000_000,
  playbooksMax: 500,
  logoMaxBytes: 65_536,
  auditPageSize: 50,
  invitationLifetimeDays: 7,
} as const;
