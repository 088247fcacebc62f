import { describe } from 'vitest';
import { haveDefaultModels } from '../default-models.js';
import { useGuardedService } from '../hostile/use-guarded-service.js';
import { testAddresses } from './addresses.js';
import { testClients } from './clients.js';
import { testParameters } from './parameters.js';
import { testPictures } from './pictures.js';

describe.skipIf(!(await haveDefaultModels()))('bad input', () => {
  const hostilities = useGuardedService();
  testPictures(hostilities);
  testParameters(hostilities);
  testAddresses(hostilities);
  testClients(hostilities);
});
