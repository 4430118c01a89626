import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lookupEvents } from './aws-cloudtrail.ts';
import { AWS_ACCESS_KEY_ID, type AwsMemory, addFinding, addTrailEvent, createAwsMemory } from './aws-data.ts';
import { asQueryError, awsError, awsFailures, isQueryCall, jsonBody, signatureErrors } from './aws-errors.ts';
import { registerGuardduty } from './aws-guardduty.ts';
import { answerIam, answerSts } from './aws-iam.ts';
import { checkSignature } from './aws-signature.ts';
import { listOf, objectOf } from './request-values.ts';
import type { VendorApi, VendorContext } from './vendor-api.ts';

/**
 * GuardDuty, CloudTrail, IAM and STS behind one address; which service is meant stands in the signature, which is checked.
 * The vendor's key is the secret of one access key.
 */
export function createAwsApi(): VendorApi {
  let memory: AwsMemory | undefined;
  return {
    id: 'aws',
    failures: awsFailures,
    state: () => ({
      users: [...(memory?.users.values() ?? [])].map(({ name, keys, policies, hasPassword }) => ({
        name,
        keys: keys.map(({ id, status }) => ({ id, status })),
        policies: [...policies],
        has_password: hasPassword,
      })),
      archived: [...(memory?.findings.values() ?? [])].filter(({ service }) => service.archived).map(({ id }) => id),
      sessions: memory?.sessions.size ?? 0,
    }),
    reset() {
      memory = undefined;
    },
    register(app, context) {
      const current = () => {
        memory ??= createAwsMemory(context.now());
        return memory;
      };
      registerControls(app, current);
      app.register((scope, _options, done) => {
        registerServices(scope, current, context);
        done();
      });
    },
  };
}

/** Not the vendor's: what a test or a trainer says has happened there. */
function registerControls(app: FastifyInstance, current: () => AwsMemory): void {
  app.post<{ Body: unknown }>('/sandbox/findings', async (request) => {
    for (const finding of listOf(request.body)) addFinding(current(), objectOf(finding));
    return { findings: current().findings.size };
  });
  app.post<{ Body: unknown }>('/sandbox/trail-events', async (request) => {
    for (const event of listOf(request.body)) addTrailEvent(current(), objectOf(event));
    return { events: current().trail.length };
  });
  app.delete('/sandbox/history', async () => {
    current().findings.clear();
    current().trail.splice(0);
    return {};
  });
  app.post('/sandbox/end-sessions', async () => {
    for (const [id, key] of current().sessions) current().sessions.set(id, { ...key, expiresMs: 0 });
    return {};
  });
  app.post('/sandbox/expire-pages', async () => {
    current().pageGeneration += 1;
    return {};
  });
}

type Signer = { accessKeyId: string; service: string };

function registerServices(app: FastifyInstance, current: () => AwsMemory, { key, now }: VendorContext): void {
  const signers = new WeakMap<FastifyRequest, Signer>();
  // Signatures are over the bytes, so bodies stay text here.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.addHook('preHandler', async (request, reply) => {
    const { method, url, headers } = request;
    const body = typeof request.body === 'string' ? request.body : '';
    const keyOf = (id: string) => (id === AWS_ACCESS_KEY_ID ? { secret: key } : current().sessions.get(id));
    const check = checkSignature({ method, url, headers, body }, { keyOf, now: now() });
    if (check.problem !== undefined) return awsError(reply, 403, ...signatureErrors[check.problem]);
    if (!isScoped(request, check)) {
      return awsError(
        reply,
        403,
        'InvalidSignatureException',
        'Credential should be scoped to a valid region and service.',
      );
    }
    signers.set(request, check);
    return undefined;
  });
  app.addHook('onSend', async (request, reply, payload) =>
    isQueryCall(request) ? asQueryError(reply, payload) : payload,
  );

  registerGuardduty(app, current);
  app.post('/', async (request, reply) => {
    const { accessKeyId, service } = signers.get(request) ?? { accessKeyId: '', service: '' };
    if (service === 'cloudtrail') return answerTarget(current(), request, reply);
    const form = new URLSearchParams(String(request.body));
    const call = { form, accessKeyId, memory: current(), now: now() };
    return service === 'iam' ? answerIam(call, reply) : answerSts(call, reply);
  });
}

/** Signatures name the service that is meant, and for IAM always the same region. */
function isScoped(request: FastifyRequest, { service, region }: { service: string; region: string }): boolean {
  if (request.routeOptions.url?.includes('/detector') === true) return service === 'guardduty';
  if (request.headers['x-amz-target'] !== undefined) return service === 'cloudtrail';
  return service === 'iam' ? region === 'us-east-1' : service === 'sts';
}

function answerTarget(memory: AwsMemory, request: FastifyRequest, reply: FastifyReply): unknown {
  if (request.headers['x-amz-target'] !== 'CloudTrail_20131101.LookupEvents') {
    return awsError(reply, 400, 'UnknownOperationException', 'The operation is not known.');
  }
  return lookupEvents(memory, objectOf(jsonBody(request)), reply);
}
