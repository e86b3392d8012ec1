/** The page of the agent card. */
import type { Json, JsonObject } from '../../json.ts';
import { getOwn, isArray, isObject } from '../../json.ts';
import type { ContractModel } from '../../model/contract.ts';
import type { Templates } from '../../templates.ts';
import { cardEntry } from '../extension-modules.ts';
import { escapeText, printCode, printLink } from './escape.ts';
import { printFlat, printJsonBlock } from './json-block.ts';
import { printProse } from './prose.ts';
import type { Site } from './site.ts';
import { linkTo } from './site.ts';
import { printTable } from './table.ts';

/** Where the page of the card is. */
export function cardPath(site: Site): string {
  return `${site.folder}/agent-card.md`;
}

/** Prints the page of the agent card. */
export function printCardPage(
  model: ContractModel,
  card: JsonObject,
  site: Site,
  templates: Templates,
): string {
  const whole = completeCard(model, card);
  const skills = getOwn(card, 'skills');
  return templates.render('docs/agent-card.md.hbs', {
    home: 'index.md',
    fields: printFields(card),
    skills: printSkills(isArray(skills) ? skills.filter(isObject) : []),
    extensions: printExtensions(site),
    json: printJsonBlock(whole),
  });
}

/** The card with its extensions, as it is served but for the URLs of its interfaces. */
function completeCard(model: ContractModel, card: JsonObject): JsonObject {
  const extensions = model.extensions.map(cardEntry);
  const abilities = getOwn(card, 'capabilities');
  const capabilities = { ...(isObject(abilities) ? abilities : {}), extensions };
  const members = Object.entries(card).filter(([name]) => name !== '$schema');
  return { ...Object.fromEntries(members), capabilities };
}

function printFields(card: JsonObject): string {
  const rows = Object.entries(card).filter(([name]) => name !== '$schema' && name !== 'skills');
  return printTable(
    ['Field', 'Value'],
    rows.map(([name, value]) => [printCode(name), printValue(value)]),
  );
}

/** Texts as prose, lists a line an item, members of an object a line each. */
function printValue(value: Json): string {
  if (typeof value === 'string') return printProse(value);
  if (isArray(value)) return value.map(printItem).join('<br>');
  if (!isObject(value)) return printCode(printFlat(value));
  return Object.entries(value)
    .map(([name, member]) => `${printCode(name)}: ${printItem(member)}`)
    .join('<br>');
}

function printItem(value: Json): string {
  return printCode(typeof value === 'string' ? value : printFlat(value));
}

function printSkills(skills: readonly JsonObject[]): string {
  return printTable(
    ['Skill', 'Description', 'Tags', 'Examples'],
    skills.map((skill) => [
      `**${printText(getOwn(skill, 'name'))}**<br>${printItem(getOwn(skill, 'id') ?? '')}`,
      printText(getOwn(skill, 'description')),
      listOf(skill, 'tags').map(printItem).join('<br>'),
      listOf(skill, 'examples').map(printText).join('<br>'),
    ]),
  );
}

function printText(value: Json | undefined): string {
  return typeof value === 'string' ? printProse(value) : '';
}

function listOf(object: JsonObject, name: string): readonly Json[] {
  const list = getOwn(object, name);
  return isArray(list) ? list : [];
}

function printExtensions(site: Site): string {
  return printTable(
    ['Extension', 'URI', 'Params'],
    site.extensions.map(({ extension, path }) => [
      printLink(
        escapeText(`${extension.manifest.title} ${extension.version}`),
        linkTo(cardPath(site), path),
      ),
      printCode(extension.manifest.uri),
      getOwn(cardEntry(extension), 'params') === undefined ? '' : 'yes',
    ]),
  );
}
