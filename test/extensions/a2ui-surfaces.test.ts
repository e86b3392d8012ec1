/** What A2UI messages make of the surfaces of a task (rule E8). */
import { describe, expect, it } from 'vitest';
import { applyUiMessages } from '../../src/extensions/a2ui/index.ts';
import {
  apply,
  column,
  create,
  faultsOf,
  remove,
  setData,
  surface,
  text,
  update,
} from './a2ui-fixture.ts';

describe('what messages make of surfaces', () => {
  it('creates, updates in place and adds', () => {
    const messages = [create('s'), update('s', column('root', 'a'), text('a', { text: 'old' }))];
    const after = apply([], messages);
    expect(after).toStrictEqual([surface('s', [column('root', 'a'), text('a', { text: 'old' })])]);
    const later = [update('s', text('b'), text('a', { text: 'new' }), column('root', 'b', 'a'))];
    expect(applyUiMessages(after, later)).toStrictEqual({
      ok: true,
      changed: [
        {
          surfaceId: 's',
          surface: surface('s', [column('root', 'b', 'a'), text('a', { text: 'new' }), text('b')]),
        },
      ],
    });
  });

  it('remembers whether the data model is sent', () => {
    expect(apply([], [create('s', { sendDataModel: true })])).toStrictEqual([
      surface('s', [], true),
    ]);
  });

  it('deletes; what came and went in one call is not told', () => {
    const messages = [remove('s'), create('t'), remove('t')];
    expect(applyUiMessages([surface('s')], messages)).toStrictEqual({
      ok: true,
      changed: [{ surfaceId: 's', surface: undefined }],
    });
  });

  it('does not change with the data model', () => {
    const messages = [setData('s', { path: '/', value: { call: 'now' } }), setData('s', {})];
    expect(applyUiMessages([surface('s')], messages)).toStrictEqual({ ok: true, changed: [] });
  });

  it('is all or nothing, and names what was there before as such', () => {
    const before = [surface('s', [column('root', 'a'), column('a')])];
    expect(faultsOf([remove('s'), remove('s')], before)).toStrictEqual([
      'messages[1] (surface "s"): there is no surface "s": a createSurface comes first',
    ]);
    expect(faultsOf([update('s', column('a', 'root'))], before)).toStrictEqual([
      'Column "root" of surface "s": it contains itself: "root" → "a" → "root"',
    ]);
  });
});
