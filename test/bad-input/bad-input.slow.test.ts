import { describe } from 'vitest';
import { useGuardedService } from '../hostile/use-guarded-service.js';
import { haveDefaultModels } from '../support/default-models.js';
import { testAddresses } from './addresses.js';
import { testClients } from './clients.js';
import { testImages } from './images.js';
import { testParameters } from './parameters.js';

describe.skipIf(!(await haveDefaultModels()))('bad input', () => {
  const hostilities = useGuardedService();
  testImages(hostilities);
  testParameters(hostilities);
  testAddresses(hostilities);
  testClients(hostilities);
});
