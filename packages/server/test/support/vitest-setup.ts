import { afterAll } from 'vitest';
import { endWholeFile } from './vitest.ts';

afterAll(endWholeFile);
