/** CARD_MODES: the card names the media types that its extensions' parts have. */
import { posix } from 'node:path';
import { diagnose } from '../diagnostics.ts';
import { getOwn, isArray } from '../json.ts';
import type { Rule } from './rule.ts';

/** A client picks parts by the card's modes; a type that is missing there is never sent. */
export const cardModes: Rule = {
  id: 'CARD_MODES',
  purpose:
    "The card's modes name the media type of every part that an extension defines: input for what clients write, output for what the agent does. Clients send and ask for nothing else.",
  check: ({ project: { card, cardFile, extensions } }) => {
    if (card === undefined || cardFile === undefined) return [];
    const parts = extensions.flatMap(({ manifest, file }) =>
      manifest.data
        .filter((entry) => entry.in.includes('part'))
        .map((entry) => ({ entry, file, mediaType: entry.mediaType ?? manifest.mediaType })),
    );
    return DIRECTIONS.flatMap(({ member, writer, verb }) => {
      const modes = getOwn(card, member);
      const written = parts.filter(({ entry }) => entry.by !== OTHER[writer]);
      return written.flatMap(({ entry, file, mediaType }, index) => {
        const known = isArray(modes) && modes.includes(mediaType ?? null);
        const first = written.findIndex((part) => part.mediaType === mediaType) === index;
        if (mediaType === undefined || known || !first) return [];
        const folder = posix.dirname(file.path).replace('schemas/extensions/', '');
        const message = `${member} lacks "${mediaType}", the type of the "${entry.name}" parts of ${folder} that ${verb}`;
        const hint = `Add it, or set "by" of ${entry.name} in ${file.path}.`;
        return [diagnose(cardModes.id, cardFile, `/${member}`, message, { key: true, hint })];
      });
    });
  },
};

const OTHER = { client: 'agent', agent: 'client' } as const;

const DIRECTIONS = [
  { member: 'defaultInputModes', writer: 'client', verb: 'clients write' },
  { member: 'defaultOutputModes', writer: 'agent', verb: 'the agent writes' },
] as const;
