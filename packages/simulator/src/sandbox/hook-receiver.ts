import type { FastifyInstance } from 'fastify';
import { objectOf } from './request-values.ts';

/** One call at `/hooks/<anything>`: what a webhook, or an incoming webhook of Slack, was sent. */
export type ReceivedHook = {
  readonly path: string;
  /** Names the call apart from a second one of the same. */
  readonly delivery: string | null;
  readonly signed: boolean;
  readonly body: Readonly<Record<string, unknown>>;
};

const MAX_HOOKS = 1000;

/** Takes whatever is sent and answers as Slack does, so that notifications have somewhere to go in a demo. */
export function createHookReceiver() {
  const received: ReceivedHook[] = [];
  return {
    state: () => [...received],
    reset: () => void received.splice(0),
    register(app: FastifyInstance): void {
      app.post('/hooks/*', async (request, reply) => {
        const { 'x-air-delivery': delivery, 'x-air-signature': signature } = request.headers;
        received.push({
          path: request.url,
          delivery: typeof delivery === 'string' ? delivery : null,
          signed: signature !== undefined,
          body: objectOf(request.body),
        });
        if (received.length > MAX_HOOKS) received.shift();
        return await reply.type('text/plain').send('ok');
      });
    },
  };
}
