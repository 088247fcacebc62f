import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.js';
import { startStrings } from './strings/strings.js';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element "root"');
startStrings();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
