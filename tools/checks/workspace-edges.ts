/**
 * Which workspace may use which. What is not listed is refused, in `package.json` and in every import.
 * `contracts` stands at the bottom, `apps` at the top; nothing imports an app.
 */
export const workspaceEdges: Readonly<Record<string, readonly string[]>> = {
  'packages/contracts': [],
  'packages/engine': [],
  'packages/expression': ['domain'],
  'packages/domain': ['contracts'],
  'packages/connector-kit': ['contracts', 'expression'],
  'packages/api-client': ['contracts'],
  'packages/event-parsers': ['contracts'],
  'packages/query-language': ['contracts', 'domain'],
  'packages/simulator': ['contracts'],
  'packages/detection': ['contracts', 'domain'],
  'packages/connectors': ['contracts', 'connector-kit'],
  'apps/server': [
    'contracts',
    'domain',
    'engine',
    'expression',
    'detection',
    'event-parsers',
    'query-language',
    'connector-kit',
    'connectors',
    'simulator',
  ],
  'apps/cli': ['contracts', 'domain', 'api-client', 'detection', 'event-parsers', 'simulator'],
  'apps/dashboard': ['contracts', 'domain', 'api-client', 'query-language'],
  e2e: ['contracts', 'api-client'],
};

/** What tests use beyond that: connectors are proved against the vendors' stand-ins. */
export const testEdges: Readonly<Record<string, readonly string[]>> = {
  'packages/connectors': ['simulator'],
};
