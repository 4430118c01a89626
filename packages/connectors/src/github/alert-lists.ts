import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, textAt, textOf } from '../answer-fields.ts';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { githubAction } from './github-action.ts';
import { githubItems, orgPath } from './github-client.ts';

/** The three lists of security alerts of an organization: alike but for their names, states and what an alert is about. */
export const alertKinds = {
  secret_scanning: {
    path: 'secret-scanning',
    title: 'secret scanning',
    states: ['open', 'resolved'],
    // The literal stays at GitHub: an output is stored and shown.
    query: { hide_secret: true },
    subject: (alert: JsonObject) => textOf(alert, 'secret_type_display_name') ?? textOf(alert, 'secret_type'),
    severity: () => null,
  },
  code_scanning: {
    path: 'code-scanning',
    title: 'code scanning',
    states: ['open', 'closed', 'dismissed', 'fixed'],
    query: {},
    subject: (alert: JsonObject) => textAt(alert, 'rule', 'description') ?? textAt(alert, 'rule', 'id'),
    severity: (alert: JsonObject) =>
      textAt(alert, 'rule', 'security_severity_level') ?? textAt(alert, 'rule', 'severity'),
  },
  dependabot: {
    path: 'dependabot',
    title: 'Dependabot',
    states: ['open', 'fixed', 'dismissed', 'auto_dismissed'],
    query: {},
    subject: (alert: JsonObject) => textAt(alert, 'security_advisory', 'summary'),
    severity: (alert: JsonObject) => textAt(alert, 'security_advisory', 'severity'),
  },
} as const satisfies Record<string, AlertKind>;

export type AlertSource = keyof typeof alertKinds;

type AlertKind = {
  readonly path: string;
  readonly title: string;
  readonly states: readonly string[];
  readonly query: Readonly<Record<string, boolean>>;
  subject(alert: JsonObject): string | null;
  severity(alert: JsonObject): string | null;
};

export const alertLists: readonly ActionDefinition[] = Object.entries<AlertKind>(alertKinds).map(([name, kind]) =>
  githubAction({
    verb: `list_${name}_alerts`,
    friendly_name: `List ${kind.title} alerts`,
    description: `The organization's ${kind.title} alerts, newest first.`,
    input: {
      state: { type: 'string', title: 'State', enum: [...kind.states] },
      limit: limitSchema(100, 1000),
    },
    output: {
      alerts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            number: { type: ['integer', 'null'] },
            state: { type: ['string', 'null'] },
            subject: { type: ['string', 'null'] },
            severity: { type: ['string', 'null'] },
            repository: { type: ['string', 'null'] },
            created_at: { type: ['string', 'null'] },
            updated_at: { type: ['string', 'null'] },
            url: { type: ['string', 'null'] },
          },
        },
      },
      has_more: { type: 'boolean' },
    },
    effect: 'reads',
    idempotent: true,

    async run(context) {
      const state = optionalText(context, 'state', { max: 20, pattern: /^[a-z_]+$/ });
      const { items, isCut } = await githubItems(context, {
        path: orgPath(context, kind.path, 'alerts'),
        query: { ...kind.query, state },
        limit: inputCount(context, 'limit', { fallback: 100, max: 1000 }),
      });
      return { alerts: items.map((alert) => shortAlert(kind, alert)), has_more: isCut };
    },
  }),
);

function shortAlert(kind: AlertKind, alert: JsonObject): JsonObject {
  return {
    number: numberOf(alert, 'number'),
    state: textOf(alert, 'state'),
    subject: kind.subject(alert),
    severity: kind.severity(alert),
    repository: textOf(objectOf(alert.repository), 'full_name'),
    created_at: textOf(alert, 'created_at'),
    updated_at: textOf(alert, 'updated_at'),
    url: textOf(alert, 'html_url'),
  };
}
