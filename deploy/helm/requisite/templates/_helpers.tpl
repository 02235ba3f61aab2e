{{- define "requisite.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "requisite.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component | quote }}
{{- end }}

{{- define "requisite.labels" -}}
{{ include "requisite.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | quote }}
{{- end }}

{{- define "requisite.image" -}}
{{- $i := .Values.image -}}
{{- if not $i.repository }}{{ fail "image.repository is empty: build the image (deploy/image/build.sh REPOSITORY:TAG), push it, and set image.repository to REPOSITORY" }}{{ end -}}
{{- if $i.digest }}{{ printf "%s@%s" $i.repository $i.digest }}{{ else }}{{ printf "%s:%s" $i.repository (default .Chart.AppVersion $i.tag) }}{{ end -}}
{{- end }}

{{- define "requisite.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "requisite.fullname" .) .Values.serviceAccount.name }}{{ else }}{{ default "default" .Values.serviceAccount.name }}{{ end -}}
{{- end }}

{{/* Fails with what to do when a Secret or its key has no name and, in a cluster, when it does not exist.
     Takes root, value (the path of the value), name, keys, make (a command). */}}
{{- define "requisite.requireSecret" -}}
{{- if not .name }}{{ fail (printf "%s is empty: name a Secret with the key %s. Make it with: %s" .value (join ", " .keys) .make) }}{{ end -}}
{{- range .keys }}{{ if not . }}{{ fail (printf "the key of the Secret of %s is empty: name the key in Secret %s" $.value $.name) }}{{ end }}{{ end -}}
{{- if .root.Values.checkSecrets }}
{{- /* Without a cluster, a look-up finds nothing; every namespace has this service account. */}}
{{- if lookup "v1" "ServiceAccount" .root.Release.Namespace "default" }}
{{- $found := lookup "v1" "Secret" .root.Release.Namespace .name }}
{{- if not $found }}{{ fail (printf "%s: there is no Secret %s in namespace %s. Make it with: %s" .value .name .root.Release.Namespace .make) }}{{ end }}
{{- range .keys }}{{ if not (hasKey (default dict $found.data) .) }}{{ fail (printf "%s: Secret %s in namespace %s has no key %s. Make it with: %s" $.value $.name $.root.Release.Namespace . $.make) }}{{ end }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "requisite.checkSecrets" -}}
{{- $db := .Values.database }}
{{- range $role := list "owner" "api" "worker" }}
{{- if or (ne $role "owner") $.Values.migrate.enabled $.Values.operator.enabled }}
{{- $r := get $db $role }}
{{- if or $r.secret (not $r.clientCertificate) }}
{{- include "requisite.requireSecret" (dict "root" $ "value" (printf "database.%s.secret" $role) "name" $r.secret "keys" (list $r.key) "make" (printf "kubectl create secret generic %s --from-file=%s=FILE_WITH_THE_PASSWORD" (default (printf "requisite-database-%s" $role) $r.secret) (default "password" $r.key))) }}
{{- end }}
{{- if $r.clientCertificate }}
{{- include "requisite.requireSecret" (dict "root" $ "value" (printf "database.%s.clientCertificate" $role) "name" $r.clientCertificate "keys" (list "tls.crt" "tls.key") "make" (printf "kubectl create secret tls %s --cert=CHAIN.pem --key=KEY.pem" $r.clientCertificate)) }}
{{- end }}
{{- end }}
{{- end }}
{{- range $name, $file := dict "kek" "kek.json" "payload" "payload.json" }}
{{- $k := get $.Values.keysets $name }}
{{- include "requisite.requireSecret" (dict "root" $ "value" (printf "keysets.%s.secret" $name) "name" $k.secret "keys" (list $k.key) "make" (printf "starter keyset create %s && kubectl create secret generic %s --from-file=%s=%s" $file (default (printf "requisite-%s" $name) $k.secret) (default $file $k.key) $file)) }}
{{- end }}
{{- with .Values.codec }}{{ if .enabled }}
{{- include "requisite.requireSecret" (dict "root" $ "value" "codec.token.secret" "name" .token.secret "keys" (list .token.key) "make" (printf "openssl rand -hex 32 | kubectl create secret generic %s --from-file=%s=/dev/stdin" (default "requisite-codec" .token.secret) (default "token" .token.key))) }}
{{- end }}{{ end }}
{{- with .Values.temporal.apiKey }}{{ if .secret }}
{{- include "requisite.requireSecret" (dict "root" $ "value" "temporal.apiKey.secret" "name" .secret "keys" (list .key) "make" (printf "kubectl create secret generic %s --from-file=%s=FILE_WITH_THE_KEY" .secret (default "api-key" .key))) }}
{{- end }}{{ end }}
{{- with .Values.temporal.tls.clientCertificate }}
{{- include "requisite.requireSecret" (dict "root" $ "value" "temporal.tls.clientCertificate" "name" . "keys" (list "tls.crt" "tls.key") "make" (printf "kubectl create secret tls %s --cert=CHAIN.pem --key=KEY.pem" .)) }}
{{- end }}
{{- with .Values.traces.headers }}{{ if .secret }}
{{- include "requisite.requireSecret" (dict "root" $ "value" "traces.headers.secret" "name" .secret "keys" (list .key) "make" (printf "kubectl create secret generic %s --from-file=%s=FILE_WITH_THE_HEADERS, which has one line such as authorization=Bearer%%20TOKEN" .secret (default "headers" .key))) }}
{{- end }}{{ end }}
{{- with .Values.api.tls.secret }}
{{- include "requisite.requireSecret" (dict "root" $ "value" "api.tls.secret" "name" . "keys" (list "tls.crt" "tls.key") "make" (printf "kubectl create secret tls %s --cert=CHAIN.pem --key=KEY.pem" .)) }}
{{- end }}
{{- range $path, $ca := dict "ca" .Values.ca "database.tls.ca" $db.tls.ca "temporal.tls.ca" .Values.temporal.tls.ca }}
{{- if and $ca.secret $ca.configMap }}{{ fail (printf "%s: secret and configMap are both set; use one" $path) }}{{ end }}
{{- if and $ca.configMap (not $ca.key) }}{{ fail (printf "%s.key is empty: name the key in ConfigMap %s" $path $ca.configMap) }}{{ end }}
{{- if $ca.secret }}
{{- include "requisite.requireSecret" (dict "root" $ "value" (printf "%s.secret" $path) "name" $ca.secret "keys" (list $ca.key) "make" (printf "kubectl create secret generic %s --from-file=%s=CA.pem" $ca.secret (default "ca.crt" $ca.key))) }}
{{- end }}
{{- end }}
{{- end }}

{{/* What contradicts itself. */}}
{{- define "requisite.check" -}}
{{- include "requisite.checkSecrets" . }}
{{- $t := .Values.temporal }}
{{- $secured := or $t.tls.enabled $t.apiKey.secret }}
{{- if not $secured }}
{{- if or $t.tls.clientCertificate $t.tls.ca.secret $t.tls.ca.configMap $t.tls.serverName }}{{ fail "temporal.tls.enabled is false, but temporal.tls names a CA, a server name or a client certificate: set temporal.tls.enabled to true" }}{{ end }}
{{- end }}
{{- $d := .Values.database }}
{{- if and (has $d.tls.mode (list "disable" "require")) (or $d.tls.ca.secret $d.tls.ca.configMap) }}{{ fail (printf "database.tls.ca is set, but database.tls.mode %s verifies no server: use verify-full" $d.tls.mode) }}{{ end }}
{{- if and (eq $d.tls.mode "disable") (or $d.owner.clientCertificate $d.api.clientCertificate $d.worker.clientCertificate) }}{{ fail "a client certificate is set for the database, but database.tls.mode is disable: use verify-full" }}{{ end }}
{{- range $name := list "api" "worker" }}
{{- $a := (get $.Values $name).autoscaling }}
{{- if and $a.overdue (not $a.enabled) }}{{ if $a.overdue.enabled }}{{ fail (printf "%s.autoscaling.overdue.enabled is true: set %s.autoscaling.enabled to true" $name $name) }}{{ end }}{{ end }}
{{- if and $a.enabled (lt (int $a.maxReplicas) (int $a.minReplicas)) }}{{ fail (printf "%s.autoscaling.maxReplicas is less than minReplicas" $name) }}{{ end }}
{{- end }}
{{- with .Values.codec }}
{{- if and .enabled .proxy.containers (not .proxy.port) }}{{ fail "codec.proxy.containers is set: set codec.proxy.port to the port on which the proxy listens" }}{{ end }}
{{- if and .proxy.port (not .proxy.containers) }}{{ fail "codec.proxy.port is set, but codec.proxy.containers has no proxy: the codec endpoint speaks plain HTTP, and is not published without one" }}{{ end }}
{{- end }}
{{- with .Values.traces }}
{{- if and .headers.secret (not .endpoint) }}{{ fail "traces.headers.secret is set, but traces.endpoint is empty: set it to the collector that gets the headers" }}{{ end }}
{{- end }}
{{- with .Values.networkPolicy }}{{ if .enabled }}
{{- $peers := "[{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}}]" }}
{{- if and (not .callers) (or $.Values.api.ingress.enabled $.Values.api.httpRoute.enabled (ne $.Values.api.service.type "ClusterIP")) }}{{ fail (printf "networkPolicy.callers is empty, so nobody reaches the api: name the pods of the ingress controller, such as %s, or the networks that callers come from" $peers) }}{{ end }}
{{- if and (not .metrics) $.Values.serviceMonitor.enabled }}{{ fail (printf "networkPolicy.metrics is empty, so Prometheus reads no metrics: name its pods, such as %s" $peers) }}{{ end }}
{{- if and (not .codecCallers) $.Values.codec.enabled $.Values.codec.proxy.port }}{{ fail (printf "networkPolicy.codecCallers is empty, so nobody reaches codec.proxy: name the pods of the ingress controller, such as %s, or the networks that operators come from" $peers) }}{{ end }}
{{- end }}{{ end }}
{{- with .Values.backup }}{{ if .enabled }}
{{- if not .claim }}{{ fail "backup.claim is empty: name a PersistentVolumeClaim for the dumps, which exists" }}{{ end }}
{{- if and (hasPrefix "verify-" $d.tls.mode) (not (or $d.tls.ca.secret $d.tls.ca.configMap)) }}{{ fail (printf "backup.enabled is true and database.tls.mode is %s: set database.tls.ca, because pg_dump does not know the system's CAs" $d.tls.mode) }}{{ end }}
{{- end }}{{ end }}
{{- with .Values.api.httpRoute }}
{{- if and .enabled (not .parentRefs) }}{{ fail "api.httpRoute.enabled is true: name in api.httpRoute.parentRefs the Gateway that callers reach, such as [{name: GATEWAY, namespace: NAMESPACE}]" }}{{ end }}
{{- end }}
{{- with .Values.api.ingress }}{{ if and .enabled (not .host) }}{{ fail "api.ingress.enabled is true: set api.ingress.host to the name by which callers reach the api" }}{{ end }}{{ end }}
{{- range $name := list "api" "worker" }}
{{- range $key, $value := (get $.Values $name).settings }}
{{- if regexMatch "^OTEL_EXPORTER_OTLP(_TRACES)?_HEADERS$" $key }}{{ fail (printf "%s.settings.%s is a secret: put the headers into a Secret, and name it in traces.headers.secret" $name $key) }}{{ end }}
{{- if regexMatch "PASSWORD|SECRET|TOKEN|API_KEY|HEADERS|_DATA$" $key }}{{ fail (printf "%s.settings.%s is a secret: the chart takes secrets from Secrets, see README.md" $name $key) }}{{ end }}
{{- if has $key (list "REQUISITE_LISTEN" "REQUISITE_METRICS_LISTEN" "REQUISITE_HEALTH_LISTEN" "REQUISITE_KEK_FILE" "REQUISITE_PAYLOAD_KEY_FILE" "REQUISITE_KMS_KEY_URI" "REQUISITE_DRAIN" "REQUISITE_PATIENCE" "REQUISITE_RATE_LIMIT" "REQUISITE_LOG_LEVEL" "REQUISITE_TLS_CERT_FILE" "REQUISITE_TLS_KEY_FILE" "REQUISITE_WEBHOOK_PORTS" "OTEL_EXPORTER_OTLP_ENDPOINT" "OTEL_EXPORTER_OTLP_PROTOCOL") }}{{ fail (printf "%s.settings.%s: the chart sets this variable from a value of its own; see values.yaml" $name $key) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Go collects garbage harder before the limit of the container is reached. The rest is for the processes that check and
     evaluate rules: by default six at most, which keep to 80 MiB each if they can. */}}
{{- define "requisite.goMemory" -}}
{{- $n := regexFind "^[0-9]+" . | int -}}
{{- if hasSuffix "Gi" . }}{{ $n = mul $n 1024 }}{{ end -}}
{{- printf "%dMiB" (div $n 2) -}}
{{- end }}

{{/* What the keysets are encrypted with. */}}
{{- define "requisite.kms" }}
{{- with .Values.keysets.kmsKeyUri }}
- name: REQUISITE_KMS_KEY_URI
  value: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "requisite.proxy" }}
{{- with .Values.proxy.url }}
- name: HTTPS_PROXY
  value: {{ . | quote }}
- name: HTTP_PROXY
  value: {{ . | quote }}
- name: NO_PROXY
  value: {{ $.Values.proxy.except | quote }}
{{- end }}
{{- end }}

{{/* The CAs that a program trusts besides the public ones. Go reads them from each file of the directory, and the public ones
     from a file of the image. */}}
{{- define "requisite.trust" }}
{{- if or .Values.ca.secret .Values.ca.configMap }}
- name: SSL_CERT_DIR
  value: /etc/requisite/ca
{{- end }}
{{- end }}

{{- define "requisite.trustMount" }}
{{- if or .Values.ca.secret .Values.ca.configMap }}
- {name: ca, mountPath: /etc/requisite/ca, readOnly: true}
{{- end }}
{{- end }}

{{/* The address of a host and a port. Takes host (a name, or an address of IPv4 or IPv6) and port. */}}
{{- define "requisite.address" -}}
{{- if contains ":" .host }}[{{ .host }}]{{ else }}{{ .host }}{{ end }}:{{ int .port }}
{{- end }}

{{/* The URL of the database. Takes values, user, query (parameters that follow sslmode) and name (of another database). */}}
{{- define "requisite.databaseURL" -}}
{{- $d := .values.database }}
{{- $addresses := list }}
{{- range $host := splitList "," $d.host }}{{ $addresses = append $addresses (include "requisite.address" (dict "host" $host "port" $d.port)) }}{{ end }}
{{- $query := printf "sslmode=%s%s" $d.tls.mode .query }}
{{- if gt (len $addresses) 1 }}{{ $query = printf "%s&target_session_attrs=read-write" $query }}{{ end -}}
{{- printf "postgres://%s@%s/%s?%s" (.user | urlquery | replace "+" "%20") (join "," $addresses) (.name | default $d.name | urlquery | replace "+" "%20") $query }}
{{- end }}

{{/* The environment of a program. Takes root, role (owner, api or worker), temporal (whether it connects to it), keys (whether it
     reads the keysets) and trust (whether it reads the CAs: pg_dump knows those of database.tls.ca alone). */}}
{{- define "requisite.environment" -}}
{{- $v := .root.Values }}
{{- $r := get $v.database .role }}
{{- $query := "" }}
{{- if or $v.database.tls.ca.secret $v.database.tls.ca.configMap }}{{ $query = printf "%s&sslrootcert=/etc/requisite/database-ca/ca.crt" $query }}{{ end }}
{{- if $r.clientCertificate }}{{ $query = printf "%s&sslcert=/etc/requisite/database-client/tls.crt&sslkey=/etc/requisite/database-client/tls.key" $query }}{{ end }}
- name: DATABASE_URL
  value: {{ include "requisite.databaseURL" (dict "values" $v "user" $r.user "query" $query) | quote }}
{{- if .scratch }}
- name: SCRATCH_URL # a backup is restored into this database
  value: {{ include "requisite.databaseURL" (dict "values" $v "user" $r.user "query" $query "name" "requisite_scratch") | quote }}
{{- end }}
{{- if $r.secret }}
- name: DATABASE_PASSWORD_FILE
  value: /etc/requisite/database/password
{{- end }}
{{- if .keys }}
- name: REQUISITE_KEK_FILE
  value: /etc/requisite/kek/kek.json
- name: REQUISITE_PAYLOAD_KEY_FILE
  value: /etc/requisite/payload/payload.json
{{- include "requisite.kms" .root }}
{{- end }}
{{- if .trust }}
{{- include "requisite.trust" .root }}
{{- end }}
{{- if .temporal }}
{{- include "requisite.proxy" .root }}
- name: TEMPORAL_ADDRESS
  value: {{ include "requisite.address" $v.temporal | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ $v.temporal.namespace | quote }}
{{- if or $v.temporal.tls.enabled $v.temporal.apiKey.secret }}
- name: TEMPORAL_TLS
  value: "true"
{{- end }}
{{- if or $v.temporal.tls.ca.secret $v.temporal.tls.ca.configMap }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /etc/requisite/temporal-ca/ca.crt
{{- end }}
{{- with $v.temporal.tls.serverName }}
- name: TEMPORAL_TLS_SERVER_NAME
  value: {{ . | quote }}
{{- end }}
{{- if $v.temporal.tls.clientCertificate }}
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /etc/requisite/temporal-client/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /etc/requisite/temporal-client/tls.key
{{- end }}
{{- with $v.temporal.apiKey }}{{ if .secret }}
- name: TEMPORAL_API_KEY # Temporal's library does not read it from a file
  valueFrom:
    secretKeyRef: {name: {{ .secret | quote }}, key: {{ .key | quote }}}
{{- end }}{{ end }}
{{- end }}
{{- end }}

{{- define "requisite.serving" -}}
- name: REQUISITE_METRICS_LISTEN
  value: ":9090"
- name: REQUISITE_HEALTH_LISTEN
  value: ":8081"
- name: REQUISITE_LOG_LEVEL
  value: {{ .Values.logLevel | quote }}
- name: REQUISITE_WEBHOOK_PORTS
  value: {{ join "," .Values.webhooks.ports | quote }}
{{- if .Values.traces.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .Values.traces.endpoint | quote }}
- name: OTEL_EXPORTER_OTLP_PROTOCOL
  value: {{ .Values.traces.protocol | quote }}
{{- with .Values.traces.headers }}{{ if .secret }}
- name: OTEL_EXPORTER_OTLP_HEADERS # OpenTelemetry's library does not read them from a file
  valueFrom:
    secretKeyRef: {name: {{ .secret | quote }}, key: {{ .key | quote }}}
{{- end }}{{ end }}
{{- end }}
{{- end }}

{{/* Where the files of "requisite.environment" are. Takes the same. */}}
{{- define "requisite.mounts" -}}
{{- $v := .root.Values }}
{{- $r := get $v.database .role }}
{{- if $r.secret }}
- {name: database, mountPath: /etc/requisite/database, readOnly: true}
{{- end }}
{{- if $r.clientCertificate }}
- {name: database-client, mountPath: /etc/requisite/database-client, readOnly: true}
{{- end }}
{{- if or $v.database.tls.ca.secret $v.database.tls.ca.configMap }}
- {name: database-ca, mountPath: /etc/requisite/database-ca, readOnly: true}
{{- end }}
{{- if .keys }}
- {name: kek, mountPath: /etc/requisite/kek, readOnly: true}
- {name: payload, mountPath: /etc/requisite/payload, readOnly: true}
{{- end }}
{{- if .trust }}
{{- include "requisite.trustMount" .root }}
{{- end }}
{{- if .temporal }}
{{- if or $v.temporal.tls.ca.secret $v.temporal.tls.ca.configMap }}
- {name: temporal-ca, mountPath: /etc/requisite/temporal-ca, readOnly: true}
{{- end }}
{{- if $v.temporal.tls.clientCertificate }}
- {name: temporal-client, mountPath: /etc/requisite/temporal-client, readOnly: true}
{{- end }}
{{- end }}
{{- end }}

{{/* The programs refuse a keyset that everybody may read; fsGroup lets their user read this mode. */}}
{{- define "requisite.secretVolume" -}}
- name: {{ .name | quote }}
  secret:
    secretName: {{ .secret | quote }}
    defaultMode: 0440
    {{- with .items }}
    items:
      {{- range $key, $path := . }}
      - {key: {{ $key | quote }}, path: {{ $path | quote }}}
      {{- end }}
    {{- end }}
{{- end }}

{{- define "requisite.caVolume" -}}
{{- if .ca.secret }}
{{ include "requisite.secretVolume" (dict "name" .name "secret" .ca.secret "items" (dict .ca.key "ca.crt")) }}
{{- else if .ca.configMap }}
- name: {{ .name | quote }}
  configMap:
    name: {{ .ca.configMap | quote }}
    items:
      - {key: {{ .ca.key | quote }}, path: ca.crt}
{{- end }}
{{- end }}

{{- define "requisite.volumes" -}}
{{- $v := .root.Values }}
{{- $r := get $v.database .role }}
{{- if $r.secret }}
{{ include "requisite.secretVolume" (dict "name" "database" "secret" $r.secret "items" (dict $r.key "password")) }}
{{- end }}
{{- if $r.clientCertificate }}
{{ include "requisite.secretVolume" (dict "name" "database-client" "secret" $r.clientCertificate) }}
{{- end }}
{{- include "requisite.caVolume" (dict "name" "database-ca" "ca" $v.database.tls.ca) }}
{{- if .keys }}
{{ include "requisite.secretVolume" (dict "name" "kek" "secret" $v.keysets.kek.secret "items" (dict $v.keysets.kek.key "kek.json")) }}
{{ include "requisite.secretVolume" (dict "name" "payload" "secret" $v.keysets.payload.secret "items" (dict $v.keysets.payload.key "payload.json")) }}
{{- end }}
{{- if .trust }}
{{- include "requisite.caVolume" (dict "name" "ca" "ca" $v.ca) }}
{{- end }}
{{- if .temporal }}
{{- include "requisite.caVolume" (dict "name" "temporal-ca" "ca" $v.temporal.tls.ca) }}
{{- if $v.temporal.tls.clientCertificate }}
{{ include "requisite.secretVolume" (dict "name" "temporal-client" "secret" $v.temporal.tls.clientCertificate) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "requisite.pod" -}}
enableServiceLinks: false # their variables begin with REQUISITE_ and would be taken for settings
automountServiceAccountToken: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .Values.podSecurityContext }}
securityContext: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "requisite.container" -}}
image: {{ include "requisite.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy | quote }}
{{ include "requisite.confined" . }}
{{- end }}

{{- define "requisite.confined" -}}
{{- with .Values.securityContext }}
securityContext: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "requisite.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "requisite.spread" -}}
topologySpreadConstraints:
{{- if .placement.topologySpreadConstraints }}
{{- toYaml .placement.topologySpreadConstraints | nindent 2 }}
{{- else }}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . | quote }}
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels: {{- include "requisite.selector" $ | nindent 8 }}
{{- end }}
{{- end }}
{{- end }}

{{/* On an address of their own, so that callers cannot use up its connections. A pod is restarted only if its process
     does not answer any more: restarting does not help against a database that is away. */}}
{{- define "requisite.probes" -}}
startupProbe:
  httpGet: {path: /livez, port: health}
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /livez, port: health}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: health}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end }}

{{/* The roles that `starter migrate` grants rights to. */}}
{{- define "requisite.roles" -}}
- name: REQUISITE_API_ROLE
  value: {{ .Values.database.api.user | quote }}
- name: REQUISITE_WORKER_ROLE
  value: {{ .Values.database.worker.user | quote }}
{{- with .Values.database.readRole }}
- name: REQUISITE_READ_ROLE
  value: {{ . | quote }}
{{- end }}
{{- end }}
