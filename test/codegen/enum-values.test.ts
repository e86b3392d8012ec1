/** Which enums get an array of their values, what it is called, and what becomes of two of one name. */
import { expect, it } from 'vitest';
import type { Json } from '../../codegen/json.ts';
import { createProject, renderAll } from '../support/projects.ts';

const anEnum = (...values: Json[]): Json => ({ description: 'One of a few.', enum: values });

function object(title: string, properties: Record<string, Json>, more: object = {}): Json {
  const type = { type: 'object', additionalProperties: false, properties };
  return { title, description: 'An object.', ...type, ...more };
}

/** The arrays of a module, as its code and its declarations have them. */
function arraysOf(files: ReadonlyMap<string, string>, stem: string): Record<string, string> {
  const path = `generated/extensions/sample/v1/${stem}`;
  const read = (file: string, pattern: RegExp): readonly [string, string][] =>
    [...(files.get(file) ?? '').matchAll(pattern)].map(([, name = '', list = '']) => [name, list]);
  const code = read(`${path}.js`, /^export const (\w+_VALUES) = .*freeze\((.*)\);$/gm);
  const types = read(`${path}.d.ts`, /^export declare const (\w+_VALUES): readonly (.*);$/gm);
  expect(types).toEqual(code);
  return Object.fromEntries(code);
}

it('an enum without a name is called after its type and its member, null left out', () => {
  const files = renderAll(
    createProject({
      bike: object('MyBike', {
        gearCount: anEnum(1, 3, 7),
        brake_kind: anEnum('rim', 'disc', null),
        bell: anEnum('ding'),
        basket: anEnum('front', null),
        colour: { description: 'Any.', type: 'string' },
      }),
    }),
  );
  expect(arraysOf(files, 'bike')).toEqual({
    MY_BIKE_GEAR_COUNT_VALUES: '[1, 3, 7]',
    MY_BIKE_BRAKE_KIND_VALUES: '["rim", "disc"]',
  });
  expect(files.get('generated/extensions/sample/v1/bike.d.ts')).toContain(
    '/** The values of "brake_kind" in {@link MyBike}, frozen. */\n',
  );
});

it('of several that would be called alike a named enum has the name, else the first', () => {
  const $ref = '#/$defs/BikeKind';
  const files = renderAll(
    createProject({
      a: object('BikeGear', { size: anEnum('a', 'b'), sort: anEnum('c', 'd') }),
      b: object(
        'Bike',
        { gearSize: anEnum('e', 'f'), kind: anEnum('g', 'h'), ref: { $ref } },
        {
          $defs: { BikeKind: anEnum('i', 'j') },
        },
      ),
    }),
  );
  expect(arraysOf(files, 'a')).toEqual({
    BIKE_GEAR_SIZE_VALUES: '["a", "b"]',
    BIKE_GEAR_SORT_VALUES: '["c", "d"]',
  });
  expect(arraysOf(files, 'b')).toEqual({ BIKE_KIND_VALUES: '["i", "j"]' });
});
