import type { Command } from 'commander';
import type { CompatListener } from '../compat/compat-listeners.js';
import { type CommandContext, settingsOf } from './context.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';
import { operator, withServices } from './with-domain.js';

interface ListenOptions {
  readonly port: string;
  readonly network: readonly string[];
  readonly host: string;
}

/** `keys listen`, `keys listeners`, `keys unlisten`: ports for clients of other services that send no key. */
export function addCompatListenerCommands(keys: Command, context: CommandContext): void {
  keys
    .command('listen')
    .description(
      'open a port for clients of other services that send no key; a running service opens it within seconds',
    )
    .argument('<key>', 'id of a key made by keys compat, as keys list shows it')
    .requiredOption('--port <number>', 'one of the setting compatListenerPorts')
    .requiredOption(
      '--network <cidr>',
      'network that clients come from, such as 192.168.1.0/24; repeatable',
      collect,
    )
    .option('--host <address>', 'address of this machine; 0.0.0.0 or :: for all', '127.0.0.1')
    .action(async (key: string, { port, network, host }: ListenOptions) => {
      const wanted = { keyId: toId(key), port: toId(port), networks: network, host };
      const made = await withServices(context, async (services) =>
        (await services.compatListeners()).create(operator, wanted),
      );
      context.print(
        `Listener ${made.id}: ${made.host} port ${made.port}, ${made.protocol}, for ${made.networks.join(', ')}.`,
      );
    });

  keys
    .command('listeners')
    .description('list these ports')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const list = await withServices(context, async (services) => (await services.compatListeners()).list());
      context.print(json ? JSON.stringify(list) : formatListeners(list));
      if (settingsOf(context).settings.compatListenerPorts === '' && list.length > 0) {
        context.note('None is open: the setting compatListenerPorts is empty.');
      }
    });

  keys
    .command('unlisten')
    .description('close such a port; a running service closes it within seconds')
    .argument('<listener>', 'id, as keys listeners shows it')
    .action(async (id: string) => {
      await withServices(context, async (services) =>
        (await services.compatListeners()).remove(operator, toId(id)),
      );
      context.print(`Listener ${id} is closed.`);
    });
}

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function toId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new Error(`${text} is not a number`);
  return Number(text);
}

function formatListeners(list: readonly CompatListener[]): string {
  const rows = list.map(({ id, host, port, protocol, keyId, keyName, networks, createdAt }) => [
    ...[String(id), host, String(port), protocol, `${keyId} ${toPrintable(keyName)}`],
    ...[networks.join(', '), formatTime(createdAt)],
  ]);
  return formatTable(['ID', 'HOST', 'PORT', 'PROTOCOL', 'KEY', 'NETWORKS', 'CREATED'], rows);
}
