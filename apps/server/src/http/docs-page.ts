import { errorCodes } from '@airdeck/contracts/error-codes';
import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { accessText, codesOf, openApiDocument } from './openapi.ts';

/** Of the one style element of the page. */
export const docsStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 6rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
article { margin: 1.5rem 0; }
h3 { margin: 0; font-size: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.85rem; }
pre { overflow-x: auto; padding: 0.75rem; border-radius: 6px; background: color-mix(in srgb, currentColor 7%, transparent); }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
p { margin: 0.25rem 0; }
.quiet { opacity: 0.75; }
`;

/** The API for people: one page, made on the server, without any script. */
export function docsPage(info: { title: string; version: string }): string {
  const document = openApiDocument({ ...info, serverUrl: '/' }) as { paths: Record<string, Record<string, Operation>> };
  const groups = new Map<string, RouteId[]>();
  for (const id of Object.keys(routeTable) as RouteId[]) {
    const group = id.split('.', 1)[0] ?? id;
    groups.set(group, [...(groups.get(group) ?? []), id]);
  }
  const sections = [...groups].map(([group, ids]) => {
    const articles = ids.map((id) => routeArticle(id, routeTable[id], document.paths)).join('');
    return `<section><h2 id="${group}">${escapeHtml(group)}</h2>${articles}</section>`;
  });
  const links = [...groups.keys()].map((group) => `<a href="#${group}">${escapeHtml(group)}</a>`).join(' · ');
  const title = escapeHtml(`${info.title} API ${info.version}`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${docsStyle}</style></head>
<body><main><h1>${title}</h1>
<p>Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a>. Send <code>Authorization: Bearer &lt;token&gt;</code>
with an access token or an API key. Errors are <code>{ message, code, request_id, details? }</code>.</p>
<nav>${links}</nav>${sections.join('')}</main></body></html>`;
}

type Operation = {
  parameters?: { name: string; in: string; required: boolean; schema: unknown }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Content = { content?: Record<string, { schema: unknown }> };

function routeArticle(id: RouteId, route: Route, paths: Record<string, Record<string, Operation>>): string {
  const operation = paths[route.path]?.[route.method.toLowerCase()];
  const status = String(route.status ?? (route.response === 'empty' ? 204 : 200));
  const query = operation?.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
  const codes = codesOf(route).map((code) => `<code>${code}</code> ${errorCodes[code].status}`);
  return `<article id="${id}"><h3><span class="method">${route.method}</span> <code>${escapeHtml(route.path)}</code></h3>
<p>${escapeHtml(route.summary)}</p><p class="quiet">${escapeHtml(accessText(route))}</p>
${schemaBlock('Query', query.length === 0 ? undefined : Object.fromEntries(query.map(({ name, schema }) => [name, schema])))}
${schemaBlock('Body', firstSchema(operation?.requestBody))}
${schemaBlock(`Answer ${status}`, firstSchema(operation?.responses[status]))}
<p class="quiet">Errors: ${codes.join(', ')}</p></article>`;
}

function firstSchema(content: Content | undefined): unknown {
  return Object.values(content?.content ?? {})[0]?.schema;
}

function schemaBlock(title: string, schema: unknown): string {
  if (schema === undefined) return '';
  return `<details><summary>${escapeHtml(title)}</summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
