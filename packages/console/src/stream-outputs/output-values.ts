import type {
  StreamEventKind,
  StreamOutput,
  StreamOutputSecrets,
  StreamOutputSettingsInput,
} from '@lynceus/client';

export const outputKinds = ['webhook', 'mqtt'] as const;
export type OutputKind = (typeof outputKinds)[number];

export const eventKinds = [
  ...(['start', 'update', 'end', 'zone_entered', 'zone_left', 'person_recognised', 'text_read'] as const),
] satisfies readonly StreamEventKind[];

/** The fields of the form: those of both kinds. Secrets are empty unless they are typed. */
export interface OutputValues {
  kind: OutputKind;
  name: string;
  url: string;
  username: string;
  clientId: string;
  prefix: string;
  retain: boolean;
  snapshots: boolean;
  frigate: boolean;
  frigatePrefix: string;
  homeAssistant: boolean;
  discoveryPrefix: string;
  certificate: string;
  certificateUnchecked: boolean;
  /** Ids. */
  streams: string[];
  kinds: string[];
  labels: string[];
  signingKey: string;
  token: string;
  query: string;
  password: string;
}

const usual: OutputValues = {
  ...{ kind: 'webhook', name: '', url: '', username: '', clientId: '', prefix: 'lynceus', retain: true },
  ...{ snapshots: false, frigate: false, frigatePrefix: 'frigate', homeAssistant: false },
  ...{ discoveryPrefix: 'homeassistant', certificate: '', certificateUnchecked: false },
  ...{ streams: [], kinds: [], labels: [], signingKey: '', token: '', query: '', password: '' },
};

/** The values of an output, or of a new one. */
export function toValues(output: StreamOutput | null): OutputValues {
  if (output === null) return { ...usual };
  const { name, settings } = output;
  const { kind, url, certificate, certificate_unchecked } = settings;
  const both = {
    ...{ kind, name, url, certificate: certificate ?? '', certificateUnchecked: certificate_unchecked },
    ...{ streams: settings.streams.map(String), kinds: [...settings.kinds], labels: [...settings.labels] },
  };
  if (settings.kind === 'webhook') return { ...usual, ...both };
  return {
    ...usual,
    ...both,
    username: settings.username ?? '',
    clientId: settings.client_id ?? '',
    prefix: settings.prefix,
    retain: settings.retain,
    snapshots: settings.snapshots,
    frigate: settings.frigate,
    frigatePrefix: settings.frigate_prefix,
    homeAssistant: settings.home_assistant,
    discoveryPrefix: settings.discovery_prefix,
  };
}

/** Settings for the service. */
export function toSettings(values: OutputValues): StreamOutputSettingsInput {
  const orNull = (text: string) => text.trim() || null;
  const both = {
    url: values.url.trim(),
    certificate: orNull(values.certificate),
    certificate_unchecked: values.certificateUnchecked,
    streams: values.streams.map(Number),
    kinds: eventKinds.filter((kind) => values.kinds.includes(kind)),
    labels: values.labels,
  };
  if (values.kind === 'webhook') return { kind: 'webhook', ...both };
  return {
    kind: 'mqtt',
    ...both,
    username: orNull(values.username),
    client_id: orNull(values.clientId),
    prefix: values.prefix.trim(),
    retain: values.retain,
    snapshots: values.snapshots,
    frigate: values.frigate,
    frigate_prefix: values.frigatePrefix.trim(),
    home_assistant: values.homeAssistant,
    discovery_prefix: values.discoveryPrefix.trim(),
  };
}

/** Secrets that were typed; the others stay as they are. Undefined: none. */
export function toSecrets(values: OutputValues): StreamOutputSecrets | undefined {
  const { kind, signingKey, token, query, password } = values;
  const typed: StreamOutputSecrets =
    kind === 'mqtt'
      ? { ...(password === '' ? {} : { password }) }
      : {
          ...(signingKey === '' ? {} : { signing_key: signingKey }),
          ...(token === '' ? {} : { token }),
          ...(query === '' ? {} : { query: query.replace(/^\?/, '') }),
        };
  return Object.keys(typed).length > 0 ? typed : undefined;
}

/** Fields of the form by the names that errors of the service begin with. */
export const outputFieldNames = {
  name: 'name',
  'settings.url': 'url',
  'settings.username': 'username',
  'settings.client_id': 'clientId',
  'settings.prefix': 'prefix',
  'settings.frigate_prefix': 'frigatePrefix',
  'settings.discovery_prefix': 'discoveryPrefix',
  'settings.certificate': 'certificate',
  'settings.streams': 'streams',
  'settings.labels': 'labels',
  'secrets.signing_key': 'signingKey',
  'secrets.token': 'token',
  'secrets.query': 'query',
  'secrets.password': 'password',
} as const satisfies Record<string, keyof OutputValues>;

/** Those behind each heading, which is opened when one of them has a fault. */
export const fieldsByGroup: Readonly<Record<'events' | 'more', readonly (keyof OutputValues)[]>> = {
  events: ['streams', 'kinds', 'labels'],
  more: ['query', 'signingKey', 'clientId', 'prefix', 'frigatePrefix', 'discoveryPrefix', 'certificate'],
};

/** Whether the beginning of topics is asked for. */
export function needsPrefix(
  name: 'prefix' | 'frigatePrefix' | 'discoveryPrefix',
  { kind, frigate, homeAssistant }: OutputValues,
): boolean {
  const isShown = { prefix: true, frigatePrefix: frigate, discoveryPrefix: homeAssistant }[name];
  return kind === 'mqtt' && isShown;
}

const urls = { webhook: /^https?:\/\/[^?#@\s]+$/, mqtt: /^mqtts?:\/\/[^/?#@\s]+\/?$/ } as const;

/** Whether the service takes the address for this kind. */
export function isUrlOf(kind: OutputKind, url: string): boolean {
  return urls[kind].test(url.trim());
}
