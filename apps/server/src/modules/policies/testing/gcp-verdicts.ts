import type { Criterion } from '@airdeck/contracts/policies/schema';
import { contains, endsWith } from '../starters/starter.ts';
import { any, is, matches, missing, not, startsWith, there, type VerdictRules } from './verdict-criteria.ts';

const method = (...names: string[]): Criterion => is('protoPayload.methodName', ...names);
const service = (name: string): Criterion => is('protoPayload.serviceName', name);
const granted = is('protoPayload.authorizationInfo.granted', 'true');
const permission = (...names: string[]): Criterion => is('protoPayload.authorizationInfo.permission', ...names);
const request = 'protoPayload.request';

export const gcpVerdicts: VerdictRules = {
  'GCP.Cloud.Run.Set.IAM.Policy': [method('google.cloud.run.v1.Services.SetIamPolicy'), granted],
  'GCP.Cloud.Storage.Buckets.Modified.Or.Deleted': [method('storage.buckets.update', 'storage.buckets.delete')],
  'GCP.CloudBuild.Potential.Privilege.Escalation': [
    endsWith('protoPayload.methodName', 'CloudBuild.CreateBuild'),
    service('cloudbuild.googleapis.com'),
  ],
  'GCP.Cloudfunctions.Functions.Create': [permission('cloudfunctions.functions.create'), granted],
  'GCP.Cloudfunctions.Functions.Update': [permission('cloudfunctions.functions.update'), granted],
  'GCP.DNS.Zone.Modified.or.Deleted': [
    method('dns.changes.create', 'dns.managedZones.delete', 'dns.managedZones.patch', 'dns.managedZones.update'),
  ],
  'GCP.GCS.BulkDeletion': [method('storage.objects.delete'), missing('protoPayload.status.code')],
  'GCP.GCS.IAMChanges': [service('storage.googleapis.com'), method('storage.setIamPermissions')],
  'GCP.GCS.Public': [
    method('storage.setIamPermissions'),
    is('protoPayload.serviceData.policyDelta.bindingDeltas.member', 'allUsers', 'allAuthenticatedUsers'),
  ],
  'GCP.GCS.Ransom.Note.Upload': [
    method('storage.objects.create'),
    contains('protoPayload.resourceName', 'ransom', 'decrypt', 'recover', 'how_to', 'read_me', 'readme_'),
  ],
  'GCP.IAM.CorporateEmail': [
    method('SetIamPolicy'),
    is('protoPayload.serviceData.policyDelta.bindingDeltas.action', 'ADD'),
    endsWith('protoPayload.serviceData.policyDelta.bindingDeltas.member', '@gmail.com'),
  ],
  'GCP.IAM.CustomRoleChanges': [
    service('iam.googleapis.com'),
    method('google.iam.admin.v1.CreateRole', 'google.iam.admin.v1.DeleteRole', 'google.iam.admin.v1.UpdateRole'),
  ],
  'GCP.Inbound.SSO.Profile.Created': [
    is('protoPayload.metadata.event.eventName', 'INBOUND_SSO_PROFILE_CREATED', 'INBOUND_SSO_PROFILE_UPDATED'),
  ],
  'GCP.K8S.Service.Type.NodePort.Deployed': [
    method('io.k8s.core.v1.services.create'),
    is(`${request}.spec.type`, 'NodePort'),
    not(is('protoPayload.response.status', 'Failure')),
    granted,
  ],
  'GCP.K8s.Pod.Attached.To.Node.Host.Network': [is(`${request}.spec.hostNetwork`, 'true')],
  'GCP.K8s.Pod.Using.Host.PID.Namespace': [is(`${request}.spec.hostPID`, 'true')],
  'GCP.Logging.Sink.Modified': [endsWith('protoPayload.methodName', '.UpdateSink')],
  'GCP.Permissions.Granted.to.Create.or.Manage.Service.Account.Key': [
    is('protoPayload.serviceData.policyDelta.bindingDeltas.action', 'ADD'),
    startsWith('protoPayload.serviceData.policyDelta.bindingDeltas.role', 'roles/iam.serviceAccount'),
  ],
  'GCP.Privileged.Operation': [endsWith('protoPayload.methodName', '.setIamPolicy', '.SetIamPolicy')],
  'GCP.Project.ExternalUserOwnershipInvite': [
    method('InsertProjectOwnershipInvite'),
    endsWith(`${request}.member`, '@gmail.com'),
  ],
  'GCP.SQL.ConfigChanges': [method('cloudsql.instances.update')],
  'GCP.Service.Account.Access.Denied': [
    there('protoPayload.authenticationInfo.serviceAccountKeyName'),
    is('protoPayload.status.code', 7),
  ],
  'GCP.Service.Account.or.Keys.Created': [
    startsWith('protoPayload.methodName', 'google.iam.admin.v1.CreateServiceAccount'),
    not(endsWith('protoPayload.authenticationInfo.principalEmail', '.gserviceaccount.com')),
  ],
  'GCP.Workload.Identity.Pool.Created.or.Updated': [
    endsWith('protoPayload.methodName', 'CreateWorkloadIdentityPoolProvider', 'UpdateWorkloadIdentityPoolProvider'),
  ],
  'GCP.iam.roles.update.Privilege.Escalation': [permission('iam.roles.update'), granted],
  'GCP.iam.serviceAccountKeys.create': [permission('iam.serviceAccountKeys.create'), granted],
  'GCP.serviceusage.apiKeys.create.Privilege.Escalation': [method('google.api.apikeys.v2.ApiKeys.CreateKey'), granted],
  'GCP.CloudArmor.React2Shell.RCE.Attempt': [
    is('resource.type', 'http_load_balancer'),
    any(
      contains('jsonPayload.enforcedSecurityPolicy.preconfiguredExprIds', 'google-mrs-v202512'),
      contains('jsonPayload.previewSecurityPolicy.preconfiguredExprIds', 'google-mrs-v202512'),
    ),
  ],
  'GCP.Compute.SSHConnection': [
    method(
      'AuthorizeUser',
      'google.cloud.oslogin.dataplane.OsLoginDataPlaneService.CheckPolicy',
      'google.ssh-serialport.v1.connect',
      'v1.compute.instances.setMetadata',
      'v1.compute.projects.setCommonInstanceMetadata',
    ),
  ],
  'GCP.Destructive.Queries': [
    any(
      matches(
        'protopayload.metadata.jobChange.job.jobConfig.queryConfig.statementType',
        '^(ALTER|DELETE|DROP|TRUNCATE|UPDATE)',
      ),
      there('protopayload.metadata.tableDeletion.reason'),
    ),
  ],
  'GCP.K8S.Privileged.Pod.Created': [
    method('io.k8s.core.v1.pods.create'),
    granted,
    any(
      is(`${request}.spec.containers.securityContext.privileged`, 'true'),
      is(`${request}.spec.containers.securityContext.runAsNonRoot`, 'false'),
    ),
    not(is('protoPayload.response.status', 'Failure')),
    not(startsWith('protoPayload.authenticationInfo.principalEmail', 'system:')),
    not(endsWith('protoPayload.authenticationInfo.principalEmail', '.gserviceaccount.com')),
  ],
  'GCP.KMS.BulkEncryption': [
    service('cloudkms.googleapis.com'),
    method('Encrypt'),
    endsWith('protoPayload.authenticationInfo.principalEmail', '-gs-project-accounts.iam.gserviceaccount.com'),
    missing('protoPayload.status.code'),
  ],
  'GCP.compute.instances.create.Privilege.Escalation': [
    {
      field: 'protoPayload.authorizationInfo.permission',
      operator: 'in',
      value: [
        'compute.disks.create',
        'compute.instances.create',
        'compute.instances.setMetadata',
        'compute.instances.setServiceAccount',
        'compute.subnetworks.use',
      ],
      match: 'all',
    },
    not(is('protoPayload.authorizationInfo.granted', 'false')),
    missing('protoPayload.response.error.code'),
  ],
};
