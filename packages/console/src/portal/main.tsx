/** The portal, where the members of a reseller's account work. */
import './client.ts';
import { startApp } from '../shell/start.tsx';
import { PortalFrame } from './frame.tsx';
import { SCREENS } from './screens.ts';

startApp(SCREENS, PortalFrame);
