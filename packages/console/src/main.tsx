import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './shell/touch.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './service/addresses.js';
import { App } from './shell/app.js';
import { startStrings } from './strings/strings.js';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element "root"');
// Modal windows add a style element that stops the page behind them from scrolling.
setNonce(styleNonce);
startStrings();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
