import { topicLevel } from '../camera-names.js';
import type { MqttSettings } from '../output-settings.js';
import type { Camera } from '../read-cameras.js';
import { discoveryConfigs } from './home-assistant.js';
import type { PublishedCamera } from './published-camera.js';

/** What Home Assistant shows for a sensor without a value. */
const nobody = 'unknown';

/** What each topic shall say that the broker keeps, but for images. */
export function retainedTopics(
  settings: MqttSettings,
  uid: string,
  cameras: readonly PublishedCamera[],
): ReadonlyMap<string, string> {
  const topics = new Map<string, string>();
  for (const camera of cameras) {
    const own = `${settings.prefix}/${camera.camera}`;
    topics.set(`${own}/state`, JSON.stringify(stateOf(camera)));
    for (const [label, { all }] of countsOf(camera)) topics.set(`${own}/${topicLevel(label)}`, String(all));
    if (camera.settings.namesPeople) topics.set(`${own}/last_person`, camera.lastPerson ?? nobody);
  }
  if (settings.frigate)
    for (const [topic, text] of frigateTopics(settings.frigatePrefix, cameras)) topics.set(topic, text);
  if (settings.homeAssistant)
    for (const [topic, text] of discoveryConfigs(settings, uid, cameras)) topics.set(topic, text);
  return topics;
}

/** Without what changes with each frame, or it would be published all the time. */
function stateOf({ isEnabled, state }: Camera) {
  return {
    state: isEnabled ? (state?.state ?? 'stopped') : 'stopped',
    reason: isEnabled ? (state?.reason ?? null) : 'the stream is disabled',
    since: state === null ? null : new Date(state.since).toISOString(),
    width: state?.width ?? null,
    height: state?.height ?? null,
  };
}

interface Counts {
  all: number;
  active: number;
}

/** Objects that are followed, by class, and `all`. */
function countsOf({ labels, openTracks }: PublishedCamera): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>(['all', ...labels].map((label) => [label, { all: 0, active: 0 }]));
  for (const { label, isStationary } of openTracks) {
    if (!labels.includes(label)) continue;
    for (const name of new Set([label, 'all'])) {
      const count = counts.get(name);
      if (!count) continue;
      count.all += 1;
      if (!isStationary) count.active += 1;
    }
  }
  return counts;
}

function* frigateTopics(
  prefix: string,
  cameras: readonly PublishedCamera[],
): Generator<readonly [topic: string, text: string]> {
  const zones = new Map<string, Map<string, Counts>>();
  for (const camera of cameras) {
    const base = `${prefix}/${camera.camera}`;
    for (const [label, { all, active }] of countsOf(camera)) {
      yield [`${base}/${topicLevel(label)}`, String(all)];
      yield [`${base}/${topicLevel(label)}/active`, String(active)];
    }
    const { clips, snapshots, motionGate } = camera.settings;
    const switches = { detect: camera.isEnabled, recordings: clips, snapshots, motion: motionGate };
    for (const [name, isOn] of Object.entries(switches)) yield [`${base}/${name}/state`, isOn ? 'ON' : 'OFF'];
    for (const { name } of camera.settings.zones) {
      // Frigate counts zones of one name together.
      const within = {
        ...camera,
        openTracks: camera.openTracks.filter((track) => track.zones.includes(name)),
      };
      const sum = zones.get(name) ?? new Map<string, Counts>();
      for (const [label, { all, active }] of countsOf(within)) {
        const before = sum.get(label);
        sum.set(label, { all: all + (before?.all ?? 0), active: active + (before?.active ?? 0) });
      }
      zones.set(name, sum);
    }
  }
  const names = new Set(cameras.map(({ camera }) => camera));
  for (const [zone, counts] of zones) {
    if (names.has(topicLevel(zone))) continue;
    for (const [label, { all, active }] of counts) {
      yield [`${prefix}/${topicLevel(zone)}/${topicLevel(label)}`, String(all)];
      yield [`${prefix}/${topicLevel(zone)}/${topicLevel(label)}/active`, String(active)];
    }
  }
}
