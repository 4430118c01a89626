{{- define "airdeck.labels" -}}
app.kubernetes.io/name: airdeck
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "airdeck.pod" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 30
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "airdeck.labels" . | nindent 8 }}
containers:
  - name: airdeck
    image: {{ printf "%s:%s" .root.Values.image.repository .root.Values.image.tag | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    env:
      - { name: ROLE, value: {{ .role | quote }} }
      - { name: PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
      - { name: TRUSTED_PROXIES, value: {{ .root.Values.trustedProxies | quote }} }
      - { name: METRICS_PORT, value: {{ .root.Values.metricsPort | quote }} }
      - { name: CONNECTOR_KEYS_FILE, value: /run/airdeck/connector-keys.json }
      # A volume belongs to root; the folder it makes in there is its own.
      - { name: AIRDECK_DATA_DIR, value: /data/airdeck }
      {{- range $name, $value := .root.Values.env }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
      {{- range $name := list "DATABASE_URL" "EVENTS_URL" "FILES_URL" "IDENTITY_SECRET" }}
      - name: {{ $name }}
        valueFrom: { secretKeyRef: { name: {{ $.root.Values.secretName | quote }}, key: {{ $name }} } }
      {{- end }}
      - name: OTEL_EXPORTER_OTLP_HEADERS
        valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName | quote }}, key: OTEL_EXPORTER_OTLP_HEADERS, optional: true } }
    ports:
      - { name: http, containerPort: 4000 }
      - { name: metrics, containerPort: {{ .root.Values.metricsPort }} }
      {{- if eq .role "ingest" }}
      - { name: syslog-tcp, containerPort: 5514 }
      - { name: syslog-udp, containerPort: 5514, protocol: UDP }
      {{- end }}
    startupProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
    # Takes calls as before until every balancer knows that it leaves: they hear of it at the same moment as the process.
    lifecycle:
      preStop: { exec: { command: [sleep, "5"] } }
    readinessProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 2
      timeoutSeconds: 5
    resources:
      {{- toYaml .settings.resources | nindent 6 }}
    volumeMounts:
      - { name: data, mountPath: /data }
      - { name: tmp, mountPath: /tmp }
      - { name: keys, mountPath: /run/airdeck, readOnly: true }
volumes:
  - name: tmp
    emptyDir: {}
  - name: keys
    secret:
      secretName: {{ .root.Values.secretName | quote }}
      defaultMode: 0440
      items: [{ key: connector-keys.json, path: connector-keys.json }]
  {{- if ne .role "ingest" }}
  - name: data
    emptyDir: {}
  {{- end }}
{{- end }}
