import { writeClient } from './client/write-client.mjs';
import { root, runScript } from './setup/prepare.mjs';

// Writes the part of the client that is made of the OpenAPI document, before something compiles it.
await runScript(() => writeClient(root));
