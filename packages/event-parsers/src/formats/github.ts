import { blankEvent, setTime } from '../blank-event.ts';
import { addressOf, snakeCase, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { ObjectFormat } from '../format.ts';

const ACTION = /^[a-z0-9_]{2,60}\.[a-z0-9_.]{2,80}$/;

/** GitHub's audit log, as the API and its streaming write it. */
export const githubFormat: ObjectFormat = {
  name: 'github',
  parse(object, reception) {
    const { action } = object;
    if (typeof action !== 'string' || !ACTION.test(action)) return undefined;
    const isAudit = object._document_id !== undefined || object.org !== undefined || object.business !== undefined;
    const time = object['@timestamp'] ?? object.created_at;
    if (!isAudit || time === undefined || (object.actor === undefined && object.actor_id === undefined))
      return undefined;
    const event = blankEvent(reception);
    setTime(event, readTime(time), reception);
    event.integration = 'github';
    event.event_type = 'audit';
    event.action = snakeCase(action);
    event.outcome = action.endsWith('.failed_login') ? 'failure' : 'success';
    event.message = `${action} ${textOf(object.repo) || textOf(object.org)}`.trim();
    event.user = textOf(object.actor);
    event.src_ip = addressOf(object.actor_ip);
    event.host = textOf(object.repo);
    event.fields = object as Record<string, unknown>;
    return event;
  },
};
