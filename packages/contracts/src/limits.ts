/** Sizes and bounds both sides know (spec §9). Units are in the names. Those of the server alone: server-limits.ts. */
export const limits = {
  listDefault: 25,
  listMax: 100,
  /** The last page of a list that can be asked for. */
  pageMax: 1_000_000,
  usersMax: 1000,
  playbookActivityPageSize: 15,
  actionActivityPageSize: 25,
  policiesPageSize: 20,
  policyVersionsKept: 100,
  ruleResponsesPageSize: 10,
  ruleResponsesPerPolicy: 100,
  automationRulesPageSize: 20,
  automationResponsesMax: 20,
  casesDefault: 5,
  /** Cases one bulk call takes on. */
  casesBulkMax: 200,
  caseStoryMax: 1000,
  /** Of a case that events keep joining; the others are counted. */
  caseEventsKept: 10_000,
  dashboardDefault: 25,
  dashboardAlertsMax: 100,
  homeWidgetsMax: 40,
  /** Types of widgets, and the first steps of tenants, a home page knows of. */
  homePartsMax: 500,
  searchTextMax: 500,
  /** Texts that one parameter of an address lists, and how long they are together. */
  textListValuesMax: 50,
  textListMax: 30_000,
  commentMax: 10_000,
  caseTagsMax: 30,
  contractFileMaxBytes: 20 * 1_048_576,
  playbookYamlMaxBytes: 1_000_000,
  logoMaxBytes: 65_536,
  auditPageSize: 50,
  invitationLifetimeDays: 7,
} as const;
