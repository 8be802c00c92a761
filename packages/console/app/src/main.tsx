import { render } from 'preact';
import { followAddress } from './api.ts';
import { App } from './app.tsx';
import { languageLoaded } from './strings.ts';
import { startTheme } from './theme.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/components.css';
import './styles/content.css';

startTheme();
followAddress();
const root = document.getElementById('app');
if (root) void languageLoaded().then(() => render(<App />, root));
