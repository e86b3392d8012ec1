/** The port of skills: what an agent's tools ask of them. Types alone. */
import type { LoadSkillResourceArguments } from '@tiny-harness/contract/tools/load-skill-resource';

/** The folders of a skill in which its resources are. */
export type ResourceKind = LoadSkillResourceArguments['kind'];

/** What an agent reads to choose a skill. */
export interface SkillSummary {
  readonly name: string;
  /** What it does and when to use it. */
  readonly description: string;
}

/** A skill as it is read into an agent's context. */
export interface Skill extends SkillSummary {
  /** The instructions: the text of `SKILL.md` after its front matter. */
  readonly body: string;
}

/** A file that comes with a skill. */
export interface SkillResource {
  readonly kind: ResourceKind;
  /** The file's name without its folder. */
  readonly name: string;
}

/** Why a skill or a resource is refused. */
export type SkillFaultCode =
  /** There is no such skill, or none at all. */
  | 'skill.unknown'
  /** What is in its directory is no valid skill; operators are told why. */
  | 'skill.invalid'
  /** The skill has no such file. */
  | 'skill.unknown_resource'
  /** It is a link that leads out of the skill's directory. */
  | 'skill.outside'
  /** It is larger than is read into a context. */
  | 'skill.too_large'
  /** It is not text in UTF-8. */
  | 'skill.binary'
  /** It is there and cannot be read: no plain file, or not for this user. */
  | 'skill.unreadable';

/** A refusal for an agent: it says what there is instead. */
export interface SkillFault {
  readonly code: SkillFaultCode;
  readonly message: string;
}

/** Which skills there are now, and which are not served and why. */
export interface SkillReport {
  /** The names of the skills that can be loaded, in order. */
  readonly loaded: readonly string[];
  readonly skipped: readonly SkippedSkill[];
}

/** A directory that holds no skill that can be loaded. */
export interface SkippedSkill {
  /** Its name in the directory of skills; that directory itself when it cannot be read. */
  readonly directory: string;
  /** What is wrong with it, each fault a line, with its place. */
  readonly reason: string;
}

/**
 * The skills of a directory as they are at the moment of asking. Nothing rejects: what cannot be read is left out, and
 * what was asked for by a name that is not served is a fault. No name is joined to a path before it was found.
 */
export interface SkillCatalog {
  /** The skills in the order of their names; empty when there are none. */
  list(): Promise<readonly SkillSummary[]>;
  /** A skill with its instructions. */
  load(name: string): Promise<Skill | SkillFault>;
  /** The files that come with a skill, by kind and then by name; empty when there are none. */
  listResources(name: string): Promise<readonly SkillResource[] | SkillFault>;
  /** The text of one file that comes with a skill. */
  loadResource(name: string, kind: ResourceKind, resource: string): Promise<string | SkillFault>;
  /** What is served and what is not, for operators. */
  report(): Promise<SkillReport>;
}
