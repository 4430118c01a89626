import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Written } from './kept-answer.ts';

/** Weak, because what matters is that the data is the same, not its compression. */
export function weakTag(payload: string): string {
  return `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`;
}

export function tagged(text: string): { text: string; tag: string } {
  return { text, tag: weakTag(text) };
}

/** Sends a JSON text with its tag, or 304 when the client has it already. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, { text, tag }: Written): FastifyReply {
  void reply.header('etag', tag);
  if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const strong = (text: string) => text.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((candidate) => strong(candidate) === strong(tag));
}
