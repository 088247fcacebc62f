import { setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ensureFirstKey, keptFirstKeyPath } from './accounts/first-key.js';
import { linkTo } from './accounts/users/link-address.js';
import { explainSettings } from './core/explain-settings.js';
import { type Component, createLifecycle, type Lifecycle } from './core/lifecycle.js';
import type { LoadedSettings } from './core/load-settings.js';
import { createMetricsListener } from './core/metrics-listener.js';
import { rolesOf } from './core/roles.js';
import { createFtp } from './drops/ftp/ftp-module.js';
import { createSftp } from './drops/sftp/sftp-module.js';
import { readApiDocument } from './http/api-document.js';
import { builtPage } from './http/console/serve-console.js';
import { buildHealthApp } from './http/health-app.js';
import { readOwnVersion } from './service/installation/own-version.js';
import { timingOf } from './service/replicas/replica-rows.js';
import { openReplicas, type Replicas } from './service/replicas/replicas.js';
import { createServices, type Services } from './services.js';
import { createServiceDeletions } from './start/account-deletions.js';
import { formatBanner, formatRolesBanner } from './start/banner.js';
import { createDiskComponent } from './start/disk-component.js';
import { buildHttpApp } from './start/http/app.js';
import { createHttpComponent } from './start/http-component.js';
import { httpDepsOf } from './start/http-deps.js';
import { createRunnerComponent, createSpoolComponent } from './start/inference.js';
import { namingItsPort } from './start/listen-failure.js';
import type { InstalledModels } from './start/models.js';
import { createObjectsComponent } from './start/objects-component.js';
import { openServiceCore, type ServiceCore, type ServiceCoreOptions } from './start/service-core.js';
import { createServiceJobs } from './start/service-jobs.js';
import { createServiceSweeps } from './start/service-sweeps.js';
import { createModelsComponent, modelsOfStart } from './start/started-models.js';
import { createStorageComponent } from './start/storage-component.js';
import { createSweepComponent } from './start/sweep-component.js';
import { jobsOfRoles, undoneRoles } from './start/work-of-roles.js';

interface AppOptions extends Omit<ServiceCoreOptions, 'settings'> {
  readonly loaded: LoadedSettings;
  readonly models: InstalledModels;
}

export interface App extends Lifecycle {
  /** What to print for the operator once it has started. */
  banner(): string;
  /** `http://HOST:PORT`, once it has started. */
  origin(): string;
}

/** Puts the service together. The data folder is held from here on; `stop` frees it, started or not. */
export async function buildApp(given: AppOptions): Promise<App> {
  const options = { ...given, models: modelsOfStart(given.models) };
  const opened = await openServiceCore({ ...options, settings: options.loaded.settings });
  const services = createServices(opened.core);
  let replicas: Replicas | undefined;
  try {
    const { databaseUrl } = opened.core.settings;
    replicas = await openReplicas({
      ...opened.core,
      version: readOwnVersion(),
      roles: rolesOf(opened.core.settings),
      isAlone: databaseUrl === '',
      timing: timingOf({ databaseUrl }),
      keys: await opened.core.installationKeys(),
      // Whatever restarts it has it refused at its start, with the reason.
      onKeysReplaced: (error) =>
        setImmediate(() => {
          throw error;
        }),
    });
    return await composeApp(options, opened, services, replicas);
  } catch (error) {
    await replicas?.component.stop();
    await services.close();
    await opened.inference.runner.close();
    await opened.storage.close();
    throw error;
  }
}

async function composeApp(
  { loaded, models }: AppOptions,
  opened: ServiceCore,
  services: Services,
  replicas: Replicas,
): Promise<App> {
  const { core, storage, inference } = opened;
  const { settings, folder, logger, metrics, spool } = core;
  const roles = rolesOf(settings);
  const undone = undoneRoles(settings);
  if (undone) logger.warn({ undone }, 'no service has these roles, since SQLite allows one service alone');
  if (
    roles.has('ftp') &&
    (settings.ftpPort > 0 || settings.sftpPort > 0) &&
    !roles.has('jobs') &&
    core.objects === null
  )
    logger.warn(
      'files of drops are stored in this data folder and no job handles them: add the role jobs to this service',
    );
  const servesHttp = roles.has('http');
  // Shown by a service that people reach.
  const firstKey = servesHttp ? await ensureFirstKey(services.accounts, folder, settings.firstKey) : null;
  const { domains, modules } = await services.all();
  const { users } = domains;
  // A service alone on its database has no other that could have printed one.
  const isPrinted = settings.databaseUrl === '' ? undefined : replicas.hasPrintedLink();
  const firstLink = servesHttp ? await users.makeLinks.first(isPrinted) : null;
  if (servesHttp && firstLink === null && !(await users.state()).hasUsers)
    logger.info(
      'another replica printed the link of the first administrator; `lynceus users link` makes a new one',
    );
  const sweeps = createServiceSweeps(core, modules, replicas);
  const ftp = roles.has('ftp') ? createFtp(core, domains.dropStore.logIn) : null;
  const sftp = roles.has('ftp') ? createSftp(core, domains.dropStore) : null;

  const shutdown = new AbortController();
  // Every request in flight listens; Node warns of more than ten.
  setMaxListeners(0, shutdown.signal);
  const readiness = () => lifecycle.readiness();
  const buildFullApp = async () =>
    buildHttpApp({
      ...httpDepsOf(core, domains, {
        version: readOwnVersion(),
        settings: explainSettings(loaded),
        catalog: models,
        sweeps,
        replicas,
        readiness,
      }),
      shutdownSignal: shutdown.signal,
      apiDocument: await readApiDocument(),
      consoleDir: builtPage,
      observe: (request) => metrics.observeRequest(request),
    });
  const httpComponent = createHttpComponent(
    await (servesHttp ? buildFullApp() : buildHealthApp({ settings, health: { readiness } })),
    settings,
    () => shutdown.abort(),
  );
  const http = namingItsPort(httpComponent, { port: 'port', host: 'host' });

  // In this order they start, in the reverse they stop.
  const components: Component[] = [
    createStorageComponent(storage, { logger }),
    replicas.component,
    createSpoolComponent(spool),
    createDiskComponent(core.disk),
    ...(core.objects ? [createObjectsComponent(core.objects)] : []),
    createSweepComponent(sweeps, { pair: storage.pair, leadership: replicas, logger }),
    createRunnerComponent(inference, httpComponent.prepare),
    createModelsComponent(models, core.builtinModels, settings),
    ...modules.flatMap(({ component }) => component ?? []),
    createServiceJobs(core, jobsOfRoles(modules, roles), { hasOther: replicas.hasOther }),
    createServiceDeletions(core, modules),
    ...(ftp
      ? [namingItsPort(ftp, { port: 'ftpPort', host: settings.ftpHost === '' ? 'host' : 'ftpHost' })]
      : []),
    ...(sftp
      ? [namingItsPort(sftp, { port: 'sftpPort', host: settings.sftpHost === '' ? 'host' : 'sftpHost' })]
      : []),
    ...(settings.metricsPort > 0
      ? [
          namingItsPort(
            createMetricsListener(metrics, { host: settings.metricsHost, port: settings.metricsPort }),
            { port: 'metricsPort', host: 'metricsHost' },
          ),
        ]
      : []),
    http,
  ];
  const lifecycle = createLifecycle({
    components,
    drainTimeoutMs: settings.drainTimeoutMs,
    onStopFailure: (component, error) =>
      logger.error({ err: error, component }, 'a component did not stop cleanly'),
  });

  return {
    ...lifecycle,
    origin: () => http.origin,
    banner() {
      if (!servesHttp) return formatRolesBanner(settings.roles, http.origin + settings.pathPrefix);
      return formatBanner({
        address: http.origin + settings.pathPrefix,
        welcome:
          firstLink &&
          linkTo(
            settings.publicAddress.replace(/\/+$/, '') || http.origin + settings.pathPrefix,
            firstLink.token,
          ),
        firstKey,
        firstKeyPath: keptFirstKeyPath(folder),
        samplePath: fileURLToPath(new URL('../assets/sample.jpg', import.meta.url)),
      });
    },
  };
}
