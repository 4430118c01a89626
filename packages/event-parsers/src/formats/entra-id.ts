import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { cleanJson } from '../clean-record.ts';
import { addressOf, outcomeOf, severityOf, snakeCase, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat, Reception } from '../format.ts';

const signInCategories: ReadonlySet<string> = new Set([
  'SignInLogs',
  'NonInteractiveUserSignInLogs',
  'ServicePrincipalSignInLogs',
  'ManagedIdentitySignInLogs',
  'ADFSSignInLogs',
]);
/** `Type` of the tables of Log Analytics. */
const signInTables: ReadonlySet<string> = new Set([
  'SigninLogs',
  'AADNonInteractiveUserSignInLogs',
  'AADServicePrincipalSignInLogs',
  'AADManagedIdentitySignInLogs',
  'ADFSSignInLogs',
]);
/** Sign-ins that ask for something more, and are not over yet. */
const interrupted: ReadonlySet<number> = new Set([50055, 50058, 50072, 50074, 50076, 50079, 50097, 50125, 50140]);

/**
 * Entra ID (Azure AD) sign-ins and directory audits: of Microsoft Graph, of diagnostic settings (Event Hubs, with
 * `properties`), of the tables of Log Analytics.
 */
export const entraIdFormat: ObjectFormat = {
  name: 'entra_id',
  parse(object, reception) {
    const kind = kindOf(object);
    if (kind === undefined) return undefined;
    const inner = isJsonObject(object.properties) ? object.properties : object;
    const event = blankEvent(reception);
    event.integration = 'entra_id';
    if (kind === 'sign_in') fillSignIn(event, { object, inner, reception });
    else fillAudit(event, { object, inner, reception });
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

function kindOf(object: JsonObject): 'sign_in' | 'audit' | undefined {
  const { category, Category: Cat, Type: table } = object;
  if (isText(category) && signInCategories.has(category)) return 'sign_in';
  if (isText(table) && signInTables.has(table)) return 'sign_in';
  if (isText(category) && category === 'AuditLogs') return 'audit';
  if (table === 'AuditLogs' || (isText(Cat) && object.AADOperationType !== undefined)) return 'audit';
  if (isText(object.userPrincipalName) && object.appDisplayName !== undefined && isJsonObject(object.status)) {
    return 'sign_in';
  }
  return isText(object.activityDisplayName) && isJsonObject(object.initiatedBy) ? 'audit' : undefined;
}

type DirectoryRecord = { object: JsonObject; inner: JsonObject; reception: Reception };

function fillSignIn(event: ParsedEvent, { object, inner, reception }: DirectoryRecord): void {
  const status = parsed(inner.status ?? object.Status);
  const code = Number(isJsonObject(status) ? status.errorCode : (object.ResultType ?? object.resultType));
  setTime(event, readTime(inner.createdDateTime ?? object.CreatedDateTime ?? timeIn(object)), reception);
  event.event_type = 'sign_in';
  event.action = 'login';
  event.outcome = signInOutcome(code, object);
  event.user =
    textOf(inner.userPrincipalName ?? object.UserPrincipalName) ||
    textOf(inner.servicePrincipalName ?? object.ServicePrincipalName ?? object.identity);
  event.src_ip = addressOf(inner.ipAddress ?? object.IPAddress ?? object.callerIpAddress);
  event.host = textOf(inner.appDisplayName ?? object.AppDisplayName);
  event.severity = riskOf(inner.riskLevelDuringSignIn ?? inner.riskLevelAggregated ?? object.RiskLevelDuringSignIn);
  const reason = isJsonObject(status) ? textOf(status.failureReason) : textOf(object.ResultDescription);
  event.message =
    reason !== '' && event.outcome !== 'success' ? reason : `Sign-in to ${event.host || 'an application'}`;
}

function signInOutcome(code: number, object: JsonObject): string {
  if (!Number.isNaN(code)) {
    if (code === 0) return 'success';
    return interrupted.has(code) ? '' : 'failure';
  }
  return outcomeOf(object.resultType ?? object.ResultType);
}

function fillAudit(event: ParsedEvent, { object, inner, reception }: DirectoryRecord): void {
  const initiator = parsed(inner.initiatedBy ?? object.InitiatedBy);
  const user = isJsonObject(initiator) && isJsonObject(initiator.user) ? initiator.user : {};
  const app = isJsonObject(initiator) && isJsonObject(initiator.app) ? initiator.app : {};
  const name = textOf(
    inner.activityDisplayName ?? object.ActivityDisplayName ?? object.operationName ?? object.OperationName,
  );
  setTime(event, readTime(inner.activityDateTime ?? object.ActivityDateTime ?? timeIn(object)), reception);
  event.event_type = 'audit';
  event.action = snakeCase(name);
  event.outcome = outcomeOf(inner.result ?? object.Result ?? object.resultType);
  event.message = name.trim();
  event.user = textOf(user.userPrincipalName) || textOf(app.displayName) || textOf(object.identity);
  event.src_ip = addressOf(user.ipAddress ?? object.callerIpAddress);
  event.host = textOf(inner.loggedByService ?? object.LoggedByService);
}

function timeIn(object: JsonObject): unknown {
  return object.time ?? object.TimeGenerated;
}

function riskOf(value: unknown): string {
  const severity = severityOf(value);
  return severity === 'low' || severity === 'medium' || severity === 'high' ? severity : '';
}

/** Log Analytics exports nested records as text. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('{') ? cleanJson(value) : value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
