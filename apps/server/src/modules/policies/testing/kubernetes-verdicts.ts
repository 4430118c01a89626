import type { Criterion } from '@airdeck/contracts/policies/schema';
import { contains } from '../starters/starter.ts';
import {
  all,
  any,
  atLeast,
  below,
  is,
  missing,
  not,
  startsWith,
  there,
  type VerdictRules,
  within,
} from './verdict-criteria.ts';

/** Where the audit record of Kubernetes stands: EKS sends the record itself, AKS has it as text, read beside it. */
const records = ['', 'properties.log_json.'];
const audit = (...criteria: ((at: string) => Criterion)[]): Criterion =>
  any(...records.map((at) => all(...criteria.map((criterion) => criterion(at)))));
const either = (inAudit: Criterion, ...inGoogle: Criterion[]): Criterion[] => [any(inAudit, all(...inGoogle))];

const systemNamespaces = ['gke-system', 'kube-node-lease', 'kube-public', 'kube-system'];
const systemUsers = ['eks:', 'system:apiserver', 'system:kube-', 'system:node:', 'system:serviceaccount:kube-system:'];
const privateRanges = ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '::1/128'];

const verb =
  (...names: string[]) =>
  (at: string): Criterion =>
    is(`${at}verb`, ...names);
const resource =
  (...names: string[]) =>
  (at: string): Criterion =>
    is(`${at}objectRef.resource`, ...names);
const subresource = (name: string) => (at: string) => is(`${at}objectRef.subresource`, name);
const requested =
  (name: string, ...values: string[]) =>
  (at: string): Criterion =>
    is(`${at}requestObject.${name}`, ...values);
const whole = (at: string): Criterion => missing(`${at}objectRef.subresource`);
const inSystemNamespace = (at: string): Criterion => is(`${at}objectRef.namespace`, ...systemNamespaces);
const bySystem = (at: string): Criterion => startsWith(`${at}user.username`, ...systemUsers);
const byOthers = (at: string): Criterion => not(bySystem(at));
const done = (at: string): Criterion => below(`${at}responseStatus.code`, 400);

const called = (...methods: string[]): Criterion =>
  is('protoPayload.methodName', ...methods.map((method) => `io.k8s.${method}`));
const calledDone = missing('protoPayload.status.code');
const calledByOthers = not(startsWith('protoPayload.authenticationInfo.principalEmail', ...systemUsers));
const calledFor = (name: string, ...values: string[]): Criterion => is(`protoPayload.request.${name}`, ...values);
const calledInSystemNamespace = startsWith(
  'protoPayload.resourceName',
  ...systemNamespaces.map((name) => `core/v1/namespaces/${name}/`),
);

/** `tar cf -` writes to the connection what it packs: `kubectl cp` out of a pod. */
const packs = (field: string): Criterion => all(is(field, 'tar'), is(field, 'cf'), is(field, '-'));
const writing = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const dangerousCapabilities = [
  'ALL',
  'BPF',
  'DAC_READ_SEARCH',
  'NET_ADMIN',
  'SYS_ADMIN',
  'SYS_BOOT',
  'SYS_MODULE',
  'SYS_PTRACE',
  'SYS_RAWIO',
];
const capabilities = 'spec.containers.securityContext.capabilities.add';
const privilegedRoles = [
  'admin',
  'cluster-admin',
  'system:kube-controller-manager',
  'system:kube-scheduler',
  'system:masters',
];

/** A role or cluster role was made whose rules hold one of the values. */
function roleWith(rules: Readonly<Record<string, readonly string[]>>): Criterion[] {
  const wanted = Object.entries(rules);
  return either(
    audit(verb('create'), resource('clusterroles', 'roles'), done, byOthers, (at) =>
      any(...wanted.map(([name, values]) => requested(`rules.${name}`, ...values)(at))),
    ),
    called('rbac.v1.clusterroles.create', 'rbac.v1.roles.create'),
    calledDone,
    calledByOthers,
    any(...wanted.map(([name, values]) => calledFor(`rules.${name}`, ...values))),
  );
}

/** Audits of Kubernetes on EKS, AKS and GKE. */
export const kubernetesVerdicts: VerdictRules = {
  'Kubernetes.API.Multiple403.PublicIP': either(
    audit(
      (at) => is(`${at}responseStatus.code`, 403),
      (at) => there(`${at}sourceIPs`),
      (at) => not(within(`${at}sourceIPs`, ...privateRanges)),
    ),
    is('protoPayload.serviceName', 'k8s.io'),
    is('protoPayload.status.code', 7),
    not(within('protoPayload.requestMetadata.callerIP', ...privateRanges)),
  ),
  'Kubernetes.ClientCertificate.Created': either(
    audit(
      verb('create'),
      resource('certificatesigningrequests'),
      done,
      byOthers,
      requested('spec.usages', 'client auth'),
      // What nodes ask for when they join.
      (at) => not(requested('spec.signerName', 'kubernetes.io/kube-apiserver-client-kubelet')(at)),
    ),
    called('certificates.v1.certificatesigningrequests.create'),
    calledDone,
    calledByOthers,
    calledFor('spec.usages', 'client auth'),
    not(calledFor('spec.signerName', 'kubernetes.io/kube-apiserver-client-kubelet')),
  ),
  'Kubernetes.ClusterRoleBinding.Privileged': either(
    audit(
      verb('create'),
      resource('clusterrolebindings'),
      done,
      byOthers,
      requested('roleRef.name', ...privilegedRoles),
    ),
    called('rbac.v1.clusterrolebindings.create'),
    calledDone,
    calledByOthers,
    calledFor('roleRef.name', ...privilegedRoles),
  ),
  'Kubernetes.CronJob.CreatedOrModified': either(
    audit(verb('create', 'patch', 'update'), resource('cronjobs'), done, byOthers),
    called('batch.v1.cronjobs.create', 'batch.v1.cronjobs.patch', 'batch.v1.cronjobs.update'),
    calledDone,
    calledByOthers,
  ),
  'Kubernetes.Kubectl.CP.Operation': either(
    audit(
      resource('pods'),
      subresource('exec'),
      done,
      (at) => not(inSystemNamespace(at)),
      (at) =>
        any(contains(`${at}requestURI`, 'command=tar&command=cf&command=-&'), packs(`${at}requestObject.command`)),
    ),
    called('core.v1.pods.exec.create', 'core.v1.pods.exec.get'),
    calledDone,
    not(calledInSystemNamespace),
    packs('protoPayload.request.command'),
  ),
  'Kubernetes.Pod.Dangerous.Capabilities': either(
    audit(verb('create'), resource('pods'), done, requested(capabilities, ...dangerousCapabilities)),
    called('core.v1.pods.create'),
    calledDone,
    calledFor(capabilities, ...dangerousCapabilities),
  ),
  'Kubernetes.Pod.Exec': either(
    audit(verb('create', 'get'), resource('pods'), subresource('exec')),
    called('core.v1.pods.exec.create', 'core.v1.pods.exec.get'),
  ),
  'Kubernetes.Pod.SystemNamespace': either(
    audit(verb('create'), resource('pods'), whole, inSystemNamespace, done, byOthers),
    called('core.v1.pods.create'),
    calledInSystemNamespace,
    calledDone,
    calledByOthers,
  ),
  'Kubernetes.Role.PodExec': roleWith({ resources: ['pods/exec'] }),
  'Kubernetes.Role.Wildcard': roleWith({ resources: ['*'], verbs: ['*'] }),
  'Kubernetes.Role.WritePermissions': roleWith({ verbs: writing }),
  'Kubernetes.Secret.AccessDenied': either(
    audit(verb('get'), resource('secrets'), (at) => atLeast(`${at}responseStatus.code`, 400), byOthers),
    called('core.v1.secrets.get'),
    atLeast('protoPayload.status.code', 1),
    calledByOthers,
  ),
  'Kubernetes.Service.NodePort.Deployed': either(
    audit(verb('create'), resource('services'), done, requested('spec.type', 'NodePort')),
    called('core.v1.services.create'),
    calledDone,
    calledFor('spec.type', 'NodePort'),
  ),
  // GKE does not log these requests.
  'Kubernetes.ServiceAccount.TokenCreated': [
    audit(verb('create'), resource('serviceaccounts'), subresource('token'), done, (at) =>
      not(all(bySystem(at), inSystemNamespace(at))),
    ),
  ],
};
