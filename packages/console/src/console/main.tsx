/** The operators' console. */
import '../api/admin.ts';
import { startApp } from '../shell/start.tsx';
import { ConsoleFrame } from './frame.tsx';
import { SCREENS } from './screens.ts';

startApp(
  SCREENS.map(({ permission = 'view', ...screen }) => ({ ...screen, permission })),
  ConsoleFrame,
);
