import { topicLevel } from '../camera-names.js';
import type { MqttSettings } from '../output-settings.js';
import type { PublishedCamera } from './published-camera.js';

/**
 * Messages of Home Assistant's MQTT discovery (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery) by their topics: a
 * device for each stream.
 * @param uid of the output
 */
export function* discoveryConfigs(
  settings: Pick<MqttSettings, 'prefix' | 'discoveryPrefix' | 'snapshots'>,
  uid: string,
  cameras: readonly PublishedCamera[],
): Generator<readonly [topic: string, text: string]> {
  for (const camera of cameras) {
    const base = `${settings.prefix}/${camera.camera}`;
    const device = {
      identifiers: [`lynceus_${camera.uid}`],
      name: camera.name,
      manufacturer: 'Lynceus',
      model: 'Stream',
    };
    const entity = (component: string, name: string, config: Readonly<Record<string, unknown>>) =>
      [
        `${settings.discoveryPrefix}/${component}/${nodeOf(uid)}/${camera.id}_${name}/config`,
        JSON.stringify({
          unique_id: `lynceus_${camera.uid}_${name}`,
          availability_topic: `${settings.prefix}/available`,
          device,
          origin: { name: 'Lynceus' },
          ...config,
        }),
      ] as const;
    for (const label of camera.labels) {
      yield entity('binary_sensor', `occupancy_${slugOf(label)}`, {
        name: `${label} occupancy`,
        device_class: 'occupancy',
        state_topic: `${base}/${topicLevel(label)}`,
        value_template: "{{ 'ON' if value | int(0) > 0 else 'OFF' }}",
      });
    }
    yield entity('binary_sensor', 'connectivity', {
      name: 'Connectivity',
      device_class: 'connectivity',
      entity_category: 'diagnostic',
      state_topic: `${base}/state`,
      value_template: "{{ 'ON' if value_json.state == 'running' else 'OFF' }}",
    });
    if (camera.settings.namesPeople) {
      yield entity('sensor', 'last_person', {
        name: 'Last person',
        icon: 'mdi:account',
        state_topic: `${base}/last_person`,
      });
    }
    if (settings.snapshots) {
      yield entity('image', 'snapshot', {
        name: 'Snapshot',
        content_type: 'image/jpeg',
        image_topic: `${base}/snapshot`,
      });
    }
  }
}

function nodeOf(uid: string): string {
  return `lynceus_${uid}`;
}

/** Home Assistant takes letters, digits, `_` and `-` alone. */
function slugOf(label: string): string {
  return label.replace(/[^A-Za-z0-9_-]/g, (letter) =>
    letter === ' ' ? '_' : `-${letter.codePointAt(0)?.toString(16)}`,
  );
}
