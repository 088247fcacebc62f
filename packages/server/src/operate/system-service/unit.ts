interface UnitOptions {
  /** Absolute paths of Node.js, of the clone or the package, of the settings file and of what belongs to the service. */
  readonly nodePath: string;
  readonly programDir: string;
  /** What Node.js runs, below `programDir`. */
  readonly startScript: string;
  readonly configPath: string;
  readonly stateDir: string;
  readonly user: string;
}

/** By which a unit is known as ours; a unit without it is not replaced. */
export const unitMark = '# Written by: lynceus install-service. Change it with: systemctl edit';

/** What a unit may stay below: longer than drainDelayMs and drainTimeoutMs together by default. */
const stopSeconds = 30;

/**
 * A unit of systemd (systemd.exec(5), version 247 or later) under which the service writes its own folder and nothing else. ffmpeg gets
 * its view of the machine by namespaces of users and mounts, so these two are left to it.
 */
export function systemdUnit(options: UnitOptions): string {
  const { nodePath, programDir, startScript, configPath, stateDir, user } = options;
  return `${unitMark}
[Unit]
Description=Lynceus image recognition
After=network-online.target
Wants=network-online.target

[Service]
User=${user}
Group=${user}
WorkingDirectory=${plain(programDir)}
ExecStart=${executed(nodePath)} ${executed(`${programDir}/${startScript}`)}
Environment=${quoted(`LYNCEUS_CONFIG=${configPath}`)} ${quoted(`HOME=${stateDir}`)}
Restart=on-failure
RestartSec=2
# Longer than drainDelayMs and drainTimeoutMs together, so that requests in flight are answered.
TimeoutStopSec=${stopSeconds}
KillMode=mixed
LimitNOFILE=16384
# When memory runs out, the kernel ends a process of a custom model first, and the service continues.
OOMPolicy=continue
MemoryMax=80%
UMask=0077
ReadWritePaths=${quoted(stateDir)}

# It writes its own folder alone, and sees no devices: for USB cameras, PrivateDevices=no and DeviceAllow=.
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectHostname=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
# ffmpeg is given a view of the machine in which there is nothing but itself.
RestrictNamespaces=user mnt
SystemCallArchitectures=native
SystemCallFilter=@system-service @mount
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** A whole line's value: systemd replaces specifiers in it. */
const plain = (text: string): string => text.replace(/%/g, '%%');

/** A word of several (systemd.syntax(7)). */
function quoted(word: string): string {
  const text = plain(word);
  return /^[\w/.:=@%+$-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A word of a command, in which variables are replaced too (systemd.service(5)). */
const executed = (word: string): string => quoted(word).replace(/\$/g, '$$$$');

/** The first settings of such a service. */
export function firstConfig({ stateDir }: Pick<UnitOptions, 'stateDir'>): string {
  const settings = { dataDir: `${stateDir}/data`, modelsDir: `${stateDir}/models` };
  return `${JSON.stringify(settings, null, 2)}\n`;
}
