import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { severityOf, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat } from '../format.ts';

const PAGE = /\/(?:security|code-scanning)\//;

/** GitHub's alerts of secret scanning, code scanning and Dependabot, as the API lists them. */
export const githubAlertFormat: ObjectFormat = {
  name: 'github_alert',
  parse(object, reception) {
    const { number, state, html_url: page, repository } = object;
    if (typeof number !== 'number' || typeof state !== 'string' || typeof page !== 'string') return undefined;
    if (!PAGE.test(page) || !isJsonObject(repository)) return undefined;
    const event = blankEvent(reception);
    const rule = inside(object.rule);
    const advisory = inside(object.security_advisory);
    // An old alert that is opened again happens now.
    setTime(event, readTime(object.updated_at ?? object.created_at), reception);
    event.integration = 'github';
    event.event_type = 'alert';
    event.action = 'alert';
    event.severity = severityOf(rule.security_severity_level ?? rule.severity ?? advisory.severity);
    event.message =
      textOf(object.secret_type_display_name) ||
      textOf(object.secret_type) ||
      textOf(rule.description) ||
      textOf(rule.id) ||
      textOf(advisory.summary);
    event.host = textOf(repository.full_name);
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

function inside(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
