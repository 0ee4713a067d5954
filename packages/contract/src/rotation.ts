import { type Static, Type } from 'typebox';
import { strictObject } from './schema.ts';

const OVERLAP_HOURS_MAX = 168;
const OVERLAP_HOURS_DEFAULT = 24;

export const rotateBody = (description: string) =>
  strictObject({
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_HOURS_MAX,
        default: OVERLAP_HOURS_DEFAULT,
        description,
        'x-rule': `must be a whole number of hours from 0 to ${OVERLAP_HOURS_MAX}`,
      }),
    ),
  });

export const toOverlapHours = ({
  overlapHours = OVERLAP_HOURS_DEFAULT,
}: Static<ReturnType<typeof rotateBody>>) => overlapHours;
