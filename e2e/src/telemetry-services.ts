/** Stand-ins for PostHog and Sentry on this machine: they take what the vendors' own libraries send, and keep it readable. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export type AnalyticsEvent = { event: string; properties: Record<string, unknown> };
/** The payload of an item of type `event` (Sentry's envelope protocol). */
export type ErrorEvent = {
  level: string;
  release: string;
  tags: Record<string, unknown>;
  exception: { values: { type: string; value: string }[] };
};

export type TelemetryServices = {
  /** What the product is started with to use them. */
  environment: Record<string, string>;
  events: AnalyticsEvent[];
  errors: ErrorEvent[];
  /** Everything that came, as text, for what must be in none of it. */
  everything(): string;
  close(): Promise<void>;
};

export async function startTelemetryServices(): Promise<TelemetryServices> {
  const events: AnalyticsEvent[] = [];
  const errors: ErrorEvent[] = [];
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const text = request.method === 'OPTIONS' ? '' : await bodyOf(request);
    const path = request.url ?? '';
    texts.push(`${path.split('?')[0]} ${text}`);
    if (path.includes('/envelope/')) errors.push(...errorsIn(text));
    else if (request.method === 'POST') events.push(...eventsIn(text));
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'content-type': 'application/json',
    });
    response.end('{"status":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      ANALYTICS_KEY: 'phc_journey',
      ANALYTICS_HOST: `http://${host}`,
      ERROR_REPORTING_DSN: `http://0123456789abcdef0123456789abcdef@${host}/42`,
    },
    events,
    errors,
    everything: () => texts.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body).toString();
}

/** One event, a list, or `{ batch }`; as JSON or in a form field. */
function eventsIn(text: string): AnalyticsEvent[] {
  const json = text.startsWith('data=')
    ? Buffer.from(decodeURIComponent(text.slice('data='.length)), 'base64').toString()
    : text;
  const sent = JSON.parse(json) as AnalyticsEvent | AnalyticsEvent[] | { batch: AnalyticsEvent[] };
  if (Array.isArray(sent)) return sent;
  return 'batch' in sent ? sent.batch : [sent];
}

/** Lines of JSON: a head, then for each item its own head and its payload. */
function errorsIn(text: string): ErrorEvent[] {
  const [, ...lines] = text.split('\n');
  const found: ErrorEvent[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const head = JSON.parse(lines[at] ?? '{}') as { type?: string };
    if (head.type === 'event') found.push(JSON.parse(lines[at + 1] ?? '{}') as ErrorEvent);
  }
  return found;
}
