import type { FastifyInstance } from 'fastify';
import { createCompany } from '../company.ts';
import { firstText, integerOf, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

type Channel = {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly members: Set<string>;
};
type Message = { readonly channel: string; readonly ts: string; text: string; readonly thread_ts?: string };

type SlackMemory = {
  readonly channels: Channel[];
  readonly messages: Message[];
  readonly conversations: Map<string, string>;
  lastTs: number;
};

const MAX_MESSAGES = 1000;
/** Far less than a new message may have. */
const UPDATE_MAX_BYTES = 4_000;
const SEEDED_CHANNELS = ['general', 'alerts', 'security', 'random', 'incident-archive'] as const;
const BOT = 'U0000000BOT';

/** Slack's Web API for messages, channels and members. Its failures come with HTTP 200, but for the limit of its rate. */
export function createSlackApi(): VendorApi {
  const users = createCompany('sandbox').employees.map((employee, index) => ({ id: userId(index), employee }));
  let memory = createMemory();
  return {
    id: 'slack',
    failures: {
      unauthorized: { status: 200, body: refusal('invalid_auth') },
      forbidden: { status: 200, body: { ...refusal('missing_scope'), needed: 'chat:write', provided: 'users:read' } },
      rate_limited: { status: 429, headers: { 'retry-after': '30' }, body: refusal('ratelimited') },
      error_in_200: { status: 200, body: refusal('fatal_error') },
    },
    state: () => ({
      messages: memory.messages,
      channels: memory.channels.map(({ id, name, members }) => ({ id, name, members: [...members] })),
    }),
    reset() {
      memory = createMemory();
    },

    register(app, { key, now }) {
      app.addHook('onRequest', async (request, reply) => {
        reply.header('x-oauth-scopes', 'chat:write,channels:read,users:read.email');
        if (request.headers.authorization === `Bearer ${key}`) return;
        await reply.send(refusal(request.headers.authorization === undefined ? 'not_authed' : 'invalid_auth'));
      });
      app.get('/api/auth.test', async () => ({
        ok: true,
        url: 'https://example-workspace.slack.com/',
        team: 'Example Workspace',
        user: 'airdeck',
        team_id: 'T00000001',
        user_id: BOT,
        bot_id: 'B00000001',
      }));
      app.get('/api/users.lookupByEmail', async (request) => {
        const email = firstText(objectOf(request.query).email).toLowerCase();
        const user = users.find(({ employee }) => employee.email.toLowerCase() === email);
        if (user === undefined) return refusal('users_not_found');
        const { id, employee } = user;
        const profile = { email: employee.email, real_name: employee.name };
        return {
          ok: true,
          user: { id, name: employee.account, real_name: employee.name, tz: 'Europe/Berlin', deleted: false, profile },
        };
      });
      registerMessages(app, { current: () => memory, now });
      registerChannels(app, { current: () => memory, users: new Set(users.map(({ id }) => id)) });
    },
  };
}

function createMemory(): SlackMemory {
  const channels = SEEDED_CHANNELS.map((name, index) => ({
    id: `C0000000${index + 1}`,
    name,
    isPrivate: false,
    members: new Set([BOT]),
  }));
  return { channels, messages: [], conversations: new Map(), lastTs: 0 };
}

function registerMessages(
  app: FastifyInstance,
  { current, now }: { current: () => SlackMemory; now: () => Date },
): void {
  app.post('/api/chat.postMessage', async (request) => {
    const body = objectOf(request.body);
    const channel = channelId(current(), textOf(body.channel));
    const text = textOf(body.text);
    if (channel === undefined) return refusal('channel_not_found');
    if (text === '') return refusal('no_text');
    if (text.length > 40_000) return refusal('msg_too_long');
    const thread = textOf(body.thread_ts);
    const message = { channel, ts: nextTs(current(), now()), text, ...(thread === '' ? {} : { thread_ts: thread }) };
    current().messages.push(message);
    if (current().messages.length > MAX_MESSAGES) current().messages.shift();
    return { ok: true, channel, ts: message.ts, message: { type: 'message', user: BOT, text, ts: message.ts } };
  });
  app.post('/api/chat.update', async (request) => {
    const body = objectOf(request.body);
    const found = current().messages.find(({ channel, ts }) => channel === body.channel && ts === body.ts);
    const text = textOf(body.text);
    if (found === undefined) return refusal('message_not_found');
    if (text === '') return refusal('no_text');
    if (Buffer.byteLength(text) > UPDATE_MAX_BYTES) return refusal('msg_too_long');
    found.text = text;
    return { ok: true, channel: found.channel, ts: found.ts, text: found.text };
  });
}

function registerChannels(
  app: FastifyInstance,
  { current, users }: { current: () => SlackMemory; users: ReadonlySet<string> },
): void {
  app.get('/api/conversations.list', async (request) => {
    const query = objectOf(request.query);
    const size = Math.min(Math.max(integerOf(query.limit, 100), 1), 1000);
    const cursor = firstText(query.cursor);
    const offset = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('offset:', ''));
    if (!Number.isInteger(offset)) return refusal('invalid_cursor');
    const { channels } = current();
    const next = offset + size < channels.length ? Buffer.from(`offset:${offset + size}`).toString('base64') : '';
    return {
      ok: true,
      channels: channels.slice(offset, offset + size).map(channelObject),
      response_metadata: { next_cursor: next },
    };
  });
  app.post('/api/conversations.create', async (request) => {
    const body = objectOf(request.body);
    const name = textOf(body.name);
    const memory = current();
    if (!/^[\p{Ll}\p{N}_-]{1,80}$/u.test(name)) return refusal('invalid_name_specials');
    if (memory.channels.some((channel) => channel.name === name)) return refusal('name_taken');
    const id = `C1${String(memory.channels.length).padStart(7, '0')}`;
    const channel = { id, name, isPrivate: body.is_private === true, members: new Set([BOT]) };
    memory.channels.push(channel);
    return { ok: true, channel: channelObject(channel) };
  });
  app.post('/api/conversations.open', async (request) => {
    const wanted = textOf(objectOf(request.body).users).split(',').toSorted();
    if (wanted.some((user) => !users.has(user))) return refusal('user_not_found');
    const { conversations } = current();
    const key = wanted.join(',');
    const known = conversations.get(key);
    const id = known ?? `D${String(conversations.size + 1).padStart(8, '0')}`;
    conversations.set(key, id);
    return { ok: true, channel: { id }, ...(known === undefined ? {} : { no_op: true, already_open: true }) };
  });
  app.post('/api/conversations.invite', async (request) => {
    const body = objectOf(request.body);
    const channel = current().channels.find(({ id }) => id === body.channel);
    const invited = textOf(body.users).split(',');
    if (channel === undefined) return refusal('channel_not_found');
    if (invited.some((user) => !users.has(user))) return refusal('user_not_found');
    if (invited.some((user) => channel.members.has(user))) return refusal('already_in_channel');
    for (const user of invited) channel.members.add(user);
    return { ok: true, channel: channelObject(channel) };
  });
}

/** A channel by id, by name with or without `#`, or an opened conversation. */
function channelId({ channels, conversations }: SlackMemory, wanted: string): string | undefined {
  const name = wanted.replace(/^#/, '');
  const channel = channels.find((one) => one.id === wanted || one.name === name);
  return channel?.id ?? [...conversations.values()].find((id) => id === wanted);
}

function nextTs(memory: SlackMemory, now: Date): string {
  memory.lastTs += 1;
  return `${Math.floor(now.getTime() / 1000)}.${String(memory.lastTs).padStart(6, '0')}`;
}

function channelObject({ id, name, isPrivate, members }: Channel) {
  return {
    id,
    name,
    is_channel: true,
    is_private: isPrivate,
    is_archived: false,
    is_member: true,
    num_members: members.size,
  };
}

function userId(index: number): string {
  return `U${String(index + 1).padStart(8, '0')}`;
}

function refusal(error: string) {
  return { ok: false, error };
}
