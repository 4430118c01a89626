import type { FastifyInstance, FastifyReply } from 'fastify';
import { integerOf, listOf, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

type Issue = {
  readonly id: string;
  readonly key: string;
  readonly fields: Record<string, unknown>;
  status: Status;
  readonly comments: unknown[];
};

const statuses = ['To Do', 'In Progress', 'Done'] as const;
type Status = (typeof statuses)[number];

/** Steps by the status they start from. */
const workflow: Readonly<Record<Status, readonly { id: string; name: string; to: Status }[]>> = {
  'To Do': [{ id: '11', name: 'Start work', to: 'In Progress' }],
  'In Progress': [
    { id: '21', name: 'Resolve', to: 'Done' },
    { id: '22', name: 'Back to start', to: 'To Do' },
  ],
  Done: [{ id: '31', name: 'Reopen', to: 'To Do' }],
};

/** The account of the sandbox: Basic `analyst@example.com:<key>`. */
const ACCOUNT = {
  accountId: '5b10a2844c20165700ede21g',
  displayName: 'Sandbox Analyst',
  emailAddress: 'analyst@example.com',
};
const PROJECT = 'SEC';
const ISSUE_TYPES: ReadonlySet<string> = new Set(['Task', 'Bug', 'Incident']);
const MAX_ISSUES = 1000;

/** Issues of Jira Cloud's REST API 3, in one project `SEC`. */
export function createJiraApi(): VendorApi {
  const issues: Issue[] = [];
  return {
    id: 'jira',
    failures: {
      unauthorized: {
        status: 401,
        headers: { 'content-type': 'text/html' },
        body: '<html><title>Unauthorized (401)</title></html>',
      },
      forbidden: { status: 403, body: refusal(['You do not have permission to perform this operation.']) },
      rate_limited: { status: 429, headers: { 'retry-after': '17' }, body: refusal(['Rate limit exceeded.']) },
      error_in_200: { status: 200, body: refusal(['The service is in maintenance.']) },
    },
    state: () => ({
      issues: issues.map(({ key, fields, status, comments }) => ({
        key,
        summary: fields.summary,
        status,
        comments: comments.length,
      })),
    }),
    reset: () => void issues.splice(0),

    register(app, { key, now }) {
      const expected = `Basic ${Buffer.from(`${ACCOUNT.emailAddress}:${key}`).toString('base64')}`;
      app.addHook('onRequest', async (request, reply) => {
        if (request.headers.authorization === expected) return;
        await reply.code(401).type('text/html').send('<html><title>Unauthorized (401)</title></html>');
      });
      app.get('/rest/api/3/myself', async () => ({ ...ACCOUNT, active: true, timeZone: 'Europe/Berlin' }));
      registerIssues(app, { issues, now });
      registerSearch(app, issues);
    },
  };
}

type IssueRoute = { Params: { issue: string } };

function registerIssues(app: FastifyInstance, { issues, now }: { issues: Issue[]; now: () => Date }): void {
  let last = 0;
  app.post('/rest/api/3/issue', async (request, reply) => {
    const fields = objectOf(objectOf(request.body).fields);
    const errors = fieldErrors(fields);
    if (Object.keys(errors).length > 0) return reply.code(400).send({ errorMessages: [], errors });
    last += 1;
    const at = now().toISOString().replace('Z', '+0000');
    const id = String(10_000 + last);
    const issue: Issue = {
      id,
      key: `${PROJECT}-${last}`,
      fields: { ...fields, created: at, updated: at, reporter: ACCOUNT },
      status: 'To Do',
      comments: [],
    };
    issues.push(issue);
    if (issues.length > MAX_ISSUES) issues.shift();
    return reply.code(201).send({ id, key: issue.key, self: `https://example.atlassian.net/rest/api/3/issue/${id}` });
  });
  app.get<IssueRoute>('/rest/api/3/issue/:issue', async (request, reply) => {
    const issue = findIssue(issues, request.params.issue);
    return issue === undefined ? absent(reply) : issueObject(issue);
  });
  app.post<IssueRoute>('/rest/api/3/issue/:issue/comment', async (request, reply) => {
    const issue = findIssue(issues, request.params.issue);
    const { body } = objectOf(request.body);
    if (issue === undefined) return absent(reply);
    if (!isDocument(body))
      return reply.code(400).send({ errorMessages: [], errors: { comment: 'Comment body is not valid!' } });
    issue.comments.push(body);
    return reply.code(201).send({ id: String(20_000 + issue.comments.length), created: now().toISOString(), body });
  });
  app.get<IssueRoute>('/rest/api/3/issue/:issue/transitions', async (request, reply) => {
    const issue = findIssue(issues, request.params.issue);
    if (issue === undefined) return absent(reply);
    return { transitions: workflow[issue.status].map((step) => ({ ...step, to: { name: step.to, id: step.to } })) };
  });
  app.post<IssueRoute>('/rest/api/3/issue/:issue/transitions', async (request, reply) => {
    const issue = findIssue(issues, request.params.issue);
    const wanted = objectOf(objectOf(request.body).transition).id;
    if (issue === undefined) return absent(reply);
    const step = workflow[issue.status].find(({ id }) => id === wanted);
    if (step === undefined) {
      return reply.code(400).send(refusal(['It seems that you have tried to perform an illegal workflow operation.']));
    }
    issue.status = step.to;
    return reply.code(204).send();
  });
}

/** `project = X` of a query is understood; a query must at least not be torn. */
function registerSearch(app: FastifyInstance, issues: readonly Issue[]): void {
  app.post('/rest/api/3/search/jql', async (request, reply) => {
    const body = objectOf(request.body);
    const jql = textOf(body.jql);
    if (jql === '' || (jql.match(/"/g) ?? []).length % 2 === 1) {
      return reply.code(400).send(refusal(['Error in the JQL Query: The quoted string has not been completed.']));
    }
    const project = /\bproject\s*=\s*"?([A-Za-z0-9_]+)"?/i.exec(jql)?.[1];
    const found = issues.filter(({ key }) => project === undefined || key.startsWith(`${project.toUpperCase()}-`));
    const size = Math.min(Math.max(integerOf(body.maxResults, 50), 1), 100);
    const token = textOf(body.nextPageToken);
    const offset = token === '' ? 0 : Number(Buffer.from(token, 'base64url').toString().replace('at:', ''));
    if (!Number.isInteger(offset)) return reply.code(400).send(refusal(['The next page token is not valid.']));
    const isLast = offset + size >= found.length;
    const next = isLast ? {} : { nextPageToken: Buffer.from(`at:${offset + size}`).toString('base64url') };
    return { issues: found.slice(offset, offset + size).map(issueObject), isLast, ...next };
  });
}

function fieldErrors(fields: Record<string, unknown>): Record<string, string> {
  const type = textOf(objectOf(fields.issuetype).name);
  const project = textOf(objectOf(fields.project).key);
  return {
    ...(project === '' ? { project: 'project is required' } : {}),
    ...(project !== '' && project !== PROJECT ? { project: 'valid project is required' } : {}),
    ...(ISSUE_TYPES.has(type) ? {} : { issuetype: 'Specify a valid issue type' }),
    ...(textOf(fields.summary) === '' ? { summary: 'You must specify a summary of the issue.' } : {}),
    ...(textOf(fields.summary).includes('\n')
      ? { summary: 'The summary is invalid because it contains newline characters.' }
      : {}),
    ...(fields.description === undefined || isDocument(fields.description)
      ? {}
      : { description: 'Operation value must be an Atlassian Document (see the Atlassian Document Format)' }),
  };
}

/** The document format as far as it matters: no text is empty, every block knows its type. */
function isDocument(value: unknown): boolean {
  const { version, type, content } = objectOf(value);
  return version === 1 && type === 'doc' && Array.isArray(content) && content.every(isNode);
}

function isNode(value: unknown): boolean {
  const { type, text, content } = objectOf(value);
  if (type === 'text') return typeof text === 'string' && text !== '';
  return typeof type === 'string' && listOf(content).every(isNode);
}

function findIssue(issues: readonly Issue[], wanted: string): Issue | undefined {
  return issues.find(({ id, key }) => id === wanted || key === wanted.toUpperCase());
}

function issueObject({ id, key, fields, status }: Issue) {
  return { id, key, fields: { ...fields, status: { name: status, id: status } } };
}

function absent(reply: FastifyReply): FastifyReply {
  return reply.code(404).send(refusal(['Issue does not exist or you do not have permission to see it.']));
}

function refusal(errorMessages: readonly string[]) {
  return { errorMessages, errors: {} };
}
