import { render } from 'preact';
import { App } from './app.tsx';
import { startTheme } from './theme.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/components.css';
import './styles/content.css';

startTheme();
const root = document.getElementById('app');
if (root) render(<App />, root);
