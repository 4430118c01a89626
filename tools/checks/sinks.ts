/**
 * Every place a text of somebody else's leaves into something that reads it by rules of its own, what such a text can do there
 * at most, and which test tries it. `files` are all that have the mark of the sink: a new one has to be put here, with what
 * it does about hostile text, or the check fails. Markup, code made of text and programs that are started are in
 * `dangerous-calls.test.ts`, which allows none.
 */
export type Sink = {
  readonly what: string;
  /** How its code is recognised. */
  readonly mark: RegExp;
  readonly files: readonly string[];
  readonly does: string;
  /** Tests, and a payload that must stand in each. */
  readonly tried: Readonly<Record<string, RegExp>>;
};

const server = 'apps/server/src';

export const sinks: readonly Sink[] = [
  {
    what: 'answers written by hand, past the schema that writes JSON',
    mark: /reply\.hijack\(|\.raw\.(?:write|end|writeHead)\(/,
    files: [
      `${server}/http/prepared-refusals.ts`,
      `${server}/http/send-file.ts`,
      `${server}/modules/activity-report/send-csv.ts`,
      `${server}/modules/audit/audit-routes.ts`,
      `${server}/modules/search/search-tail.ts`,
      `${server}/modules/stream/stream-hub.ts`,
    ],
    does: 'JSON by JSON.stringify, files as downloads in a sandbox with nosniff; all other answers are written by their schema',
    tried: {
      [`${server}/http/prepared-refusals.test.ts`]: /\\n|\\u|<script/,
      [`${server}/modules/contract/contract.test.ts`]: /"2026"/,
      [`${server}/http/fuzz-requests-fixture.ts`]: /'<script>'/,
    },
  },
  {
    what: 'streams of events',
    mark: /data: \$\{/,
    files: [`${server}/modules/search/search-tail.ts`, `${server}/modules/stream/stream-hub.ts`],
    does: 'one line of JSON, in which ends of lines are escaped; names of events are ours',
    tried: { [`${server}/modules/search/search-tail.test.ts`]: /\\n\\nevent: ended/ },
  },
  {
    what: 'names of files in headers',
    mark: /['"]content-disposition['"]: /i,
    files: [
      `${server}/http/send-file.ts`,
      `${server}/modules/activity-report/send-csv.ts`,
      `${server}/modules/audit/audit-routes.ts`,
    ],
    does: 'RFC 8187, what would be a folder becomes a hyphen; the plain name is ours or made of ids and dates',
    tried: {
      [`${server}/modules/contract/contract.test.ts`]: /Vertrag "2026"/,
      [`${server}/modules/reports/reports-routes.test.ts`]: /filename\*=UTF-8''/,
    },
  },
  {
    what: 'tables people open in a spreadsheet',
    mark: /\bcsv(?:Line|Head)\(/,
    files: [
      'packages/domain/src/csv-text.ts',
      'apps/dashboard/src/features/policies/import/outcome-table.ts',
      `${server}/modules/activity-report/send-csv.ts`,
      `${server}/modules/audit/audit-export.ts`,
      `${server}/modules/reports/report-file.ts`,
    ],
    does: 'RFC 4180, and what a spreadsheet would take for a formula is text',
    tried: {
      'packages/domain/src/csv-text.test.ts': /=/,
      'apps/dashboard/src/features/policies/import/outcome-table.test.ts': /=/,
      [`${server}/modules/audit/audit-routes.test.ts`]: /=/,
      [`${server}/modules/reports/report-file.test.ts`]: /=/,
    },
  },
  {
    what: 'PDF',
    mark: /from 'pdfkit'/,
    files: [`${server}/pdf/pdf-pages.ts`],
    does: 'glyphs of our own fonts, without links, forms, scripts and files; too long names are cut',
    tried: { [`${server}/modules/executive-reports/pdf/report-document.test.ts`]: /repeat\(/ },
  },
  {
    what: 'mail',
    mark: /from 'nodemailer/,
    files: [`${server}/modules/mail/mail-transport.ts`, 'packages/connectors/src/smtp-mail/mail-server.ts'],
    does: 'headers are one encoded line, recipients are checked addresses, a dot alone on a line does not end a mail; plain text only',
    tried: {
      [`${server}/modules/mail/mail-sender.test.ts`]: /\\r\\nBcc:/i,
      'packages/connectors/src/smtp-mail/smtp-mail.test.ts': /\\r\\n\.\\r\\n|\\n\.\\n/,
    },
  },
  {
    what: 'messages to Slack, XML of the bucket, the page that describes the API',
    mark: /&lt;/,
    files: [
      `${server}/http/docs-page.ts`,
      `${server}/modules/files/s3-files.ts`,
      `${server}/modules/notifications/slack-message.ts`,
      'packages/connectors/src/slack/messages.ts',
    ],
    does: 'characters of the markup are escaped, in Slack the bar of a link is replaced: no link, no call of a channel; the page has no text but ours',
    tried: {
      [`${server}/modules/notifications/slack-delivery.test.ts`]: /<!channel> <https:/,
      [`${server}/modules/system/system.test.ts`]: /not\.toMatch\(\/<script/,
      'packages/connectors/src/slack/slack.test.ts': /<!channel>/,
    },
  },
  {
    what: 'the log of the process',
    mark: /\bpino\(|pino\.destination/,
    files: [`${server}/entry/main.ts`],
    does: 'one line of JSON each, without query strings and bodies; no control character passes',
    tried: { [`${server}/http/log-lines.test.ts`]: /\\u001b\[2J/ },
  },
  {
    what: 'terminals',
    mark: /\bconsole\.\w+\(|process\.std(?:out|err)\.write\(/,
    files: [
      'apps/cli/src/main.ts',
      `${server}/entry/backup.ts`,
      `${server}/entry/backup/operator-output.ts`,
      `${server}/entry/main.ts`,
      `${server}/entry/migrate.ts`,
      `${server}/entry/restore.ts`,
      `${server}/entry/rotate-keys.ts`,
    ],
    does: 'the command line writes orders to a terminal as escapes; the programs of the operator print ids, paths and errors of the configuration',
    tried: {
      'apps/cli/src/terminal-text.test.ts': /\\u001b\[2J/,
      'apps/cli/src/query-command.test.ts': /\\u001b\[31m/,
    },
  },
  {
    what: 'names and literals in the SQL of PostgreSQL',
    mark: /\bsql\.(?:raw|id|table|lit|ref)\(/,
    files: [
      `${server}/modules/activity-report/activity-figures.ts`,
      `${server}/modules/activity/action-of-run.ts`,
      `${server}/modules/cases/case-overview-cells.ts`,
      `${server}/modules/cases/case-overview.ts`,
      `${server}/modules/executive-reports/case-facts.ts`,
      `${server}/modules/operations/installation-repository.ts`,
      `${server}/modules/operations/process-repository.ts`,
    ],
    does: 'constants of ours only; every value of a request is bound, and nothing is raw but the clock of the engine',
    tried: {
      [`${server}/http/fuzz-requests-fixture.ts`]: /' or 1=1 --/,
      [`${server}/storage/database.test.ts`]: /'; reset role; --/,
    },
  },
  {
    what: 'queries of the event store',
    mark: /from '(?:@clickhouse\/client|chdb)'/,
    files: [
      `${server}/entry/backup/events-access.ts`,
      `${server}/entry/backup/events-restore.ts`,
      `${server}/events-process/events-engine.ts`,
      `${server}/modules/ingestion/event-writer.ts`,
      `${server}/modules/search/search-errors.ts`,
      `${server}/storage/events-fence.ts`,
      `${server}/storage/events-schema.ts`,
      `${server}/storage/events-store.ts`,
    ],
    does: 'values are parameters, names of fields are quoted identifiers no character of them can end; ten thousand texts leave none of themselves in the SQL',
    tried: {
      'packages/query-language/src/compile.test.ts': /10,000 hostile texts/,
      [`${server}/modules/search/search-service.test.ts`]: /drop table events/,
    },
  },
  {
    what: 'regular expressions',
    mark: /new RegExp\(/,
    files: [
      'apps/dashboard/src/components/schema-form/schema-problems.ts',
      'apps/dashboard/src/features/automation/condition-words.ts',
      'apps/dashboard/src/features/playbooks/builder/graph/step-look.ts',
      'apps/dashboard/src/lib/product.ts',
      `${server}/modules/files/s3-bucket.ts`,
      `${server}/storage/write-watch.ts`,
      'packages/connector-kit/src/json-schema.ts',
      'packages/connectors/src/aws/aws-hosts.ts',
      'packages/connectors/src/crowdstrike/update-alert.ts',
      'packages/connectors/src/panos/registered-addresses.ts',
      'packages/domain/src/ip-address.ts',
    ],
    does: 'ours are constants or escaped names; those people write run on the linear engine, in their own browser on a short text',
    tried: {
      'packages/detection/src/sigma/sigma-import.test.ts': /metacharacters/,
      'packages/detection/src/filter-and-group/operators.test.ts': /\(a\+\)\+|\(\?=/,
      [`${server}/modules/actions/schema-check.test.ts`]: /\(a\+\)\+/,
    },
  },
  {
    what: 'functions made of schemas',
    mark: /\bAjv(?:2020)?\(/,
    files: [`${server}/modules/actions/schema-check.ts`],
    does: 'the source is read before it becomes a function and may hold the words of the library only',
    tried: { [`${server}/modules/actions/schema-code.test.ts`]: /globalThis\.reached=1/ },
  },
  {
    what: 'calls to addresses people name',
    mark: /from 'undici'|import (?!type)[^;]*from 'node:https'/,
    files: [
      'packages/connector-kit/src/egress-asking.ts',
      'packages/connector-kit/src/egress-dial.ts',
      'packages/connector-kit/src/egress-failure.ts',
      'packages/connector-kit/src/egress-probe.ts',
      'packages/connector-kit/src/egress.ts',
    ],
    does: 'parts of an address are encoded for their place, the address is judged after it was resolved, redirects are not followed',
    tried: {
      'packages/connector-kit/src/http-action.test.ts': /%2F|\.\.\/|\\r\\n/,
      [`${server}/http/attack-cases-egress.test.ts`]: /127\.0\.0\.1/,
    },
  },
  {
    what: 'links in the dashboard that are made of values',
    mark: /\bhref=\{|window\.open\(|location\.(?:assign|replace)\(/,
    files: [
      'apps/dashboard/src/components/reference-list.tsx',
      'apps/dashboard/src/features/auth/linked-text.tsx',
      'apps/dashboard/src/features/integrations/setup-panel.tsx',
      'apps/dashboard/src/features/onboarding/setup-totp-page.tsx',
      'apps/dashboard/src/features/policies/list/policy-about.tsx',
      'apps/dashboard/src/features/report/use-link.ts',
      'apps/dashboard/src/features/search/event-facts.tsx',
      'apps/dashboard/src/features/settings/contacts/contact-columns.tsx',
      'apps/dashboard/src/features/settings/contacts/contact-panel.tsx',
      'apps/dashboard/src/features/settings/term-dates/contract-files.tsx',
      'apps/dashboard/src/language/rich-text.ts',
      'apps/dashboard/src/session/identity-choice.ts',
      'apps/dashboard/src/session/local-identity-provider.ts',
      'apps/dashboard/src/shell/notifications-list.tsx',
    ],
    does: 'to our own routes, to addresses our server gives, or to https of a vendor that was looked at',
    tried: {
      'apps/dashboard/src/features/auth/redirects.test.ts': /javascript:|\/\/evil/,
      'apps/dashboard/src/features/search/vendor-link.test.ts': /javascript:/,
      'apps/dashboard/src/features/auth/linked-text.test.ts': /javascript:|evil/,
      'apps/dashboard/src/features/policies/list/policies-page.test.tsx': /javascript:alert/,
    },
  },
];
