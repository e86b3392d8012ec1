/** What a scenario's schema cannot say: each check with its reason. */
import type { Ask, Rule, Scenario, Step, Steps } from '@tiny-harness/contract/scenario';
import { findUnknownNames } from './heard.ts';
import type { Fault, Path } from '../../yaml/faults.ts';
import { compilePattern, isOpening } from './script.ts';
import { checkTool, textsOfTool } from './tool-faults.ts';

/** Verbs after which nothing more is played. */
const ENDINGS = ['reply', 'ask', 'complete', 'fail', 'reject', 'message', 'throw'] as const;

/** Every fault of a scenario that is valid against its schema. */
export function findFaults(scenario: Scenario): readonly Fault[] {
  const { rules, lifecycle } = scenario;
  return rules.flatMap((rule, index) => {
    const path = ['rules', index];
    return [
      ...checkReach(rule, path, index === rules.length - 1),
      ...checkCondition(rule, path),
      ...checkSteps(rule.do, [...path, 'do'], lifecycle, true),
    ];
  });
}

/** A rule for every message, with others behind it. */
function checkReach({ when, do: steps }: Rule, path: Path, isLast: boolean): readonly Fault[] {
  if (when !== undefined || isLast || isOpening(steps[0])) return [];
  return [
    {
      path,
      message: 'a rule without "when" takes every message, so the rules after it are never played',
      hint: 'Move it to the end, or give it a "when".',
    },
  ];
}

function checkCondition({ when = {}, do: steps }: Rule, path: Path): readonly Fault[] {
  const faults: Fault[] = [];
  if (when.matches !== undefined) {
    const reason = reasonAgainst(when.matches);
    const message = `the pattern is no regular expression: ${reason ?? ''}`;
    const hint =
      'It is one of JavaScript, with the flags "s" and "u"; single quotes keep YAML away from its backslashes.';
    if (reason !== undefined) faults.push({ path: [...path, 'when', 'matches'], message, hint });
  }
  if (when.turn === 'later' && isOpening(steps[0])) {
    const message = 'what happens before there is a task can only answer a first message';
    const hint = 'Leave "turn" out.';
    faults.push({ path: [...path, 'when', 'turn'], message, hint });
  }
  return faults;
}

/** What the engine has against a pattern, without the pattern that it repeats. */
function reasonAgainst(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.slice(message.lastIndexOf(': ') + 2);
  }
}

function checkSteps(
  steps: Steps,
  path: Path,
  lifecycle: Scenario['lifecycle'],
  ofRule: boolean,
): readonly Fault[] {
  return steps.flatMap((step, index) => {
    const at = [...path, index];
    const [verb, then] =
      step.tool === undefined ? ['ask', step.ask?.then] : ['tool', step.tool.then];
    return [
      ...checkEnd(step, at, index === steps.length - 1),
      ...checkOpening(step, at, ofRule && steps.length === 1),
      ...checkComplete(step, at, lifecycle),
      ...textsOf(step).flatMap(([place, text]) => checkText(text, [...at, ...place])),
      ...(step.tool === undefined ? [] : checkTool(step.tool, [...at, 'tool'])),
      ...(then === undefined ? [] : checkSteps(then, [...at, verb, 'then'], lifecycle, false)),
    ];
  });
}

function checkEnd(step: Step, path: Path, isLast: boolean): readonly Fault[] {
  const verb = ENDINGS.find((each) => step[each] !== undefined);
  if (verb === undefined || isLast) return [];
  const message = `the steps after "${verb}" are never played: it ends the turn`;
  const hint =
    verb === 'ask'
      ? 'What is to be done with the answer goes into its "then".'
      : 'Remove them, or put them before it.';
  return [{ path: [...path, verb], atKey: true, message, hint }];
}

function checkOpening(step: Step, path: Path, isAlone: boolean): readonly Fault[] {
  if (isAlone || !isOpening(step)) return [];
  const verb = step.message === undefined ? 'throw' : 'message';
  const what = verb === 'throw' ? '"throw" with "before: task"' : '"message"';
  return [
    {
      path: [...path, verb],
      atKey: true,
      message: `${what} happens before there is a task, so it stands alone in the "do" of its rule`,
      hint:
        verb === 'throw'
          ? 'Leave "before" out to throw while the agent works on the task.'
          : 'Write "say" to tell something in a task.',
    },
  ];
}

/** Rule C1. */
function checkComplete(step: Step, path: Path, lifecycle: Scenario['lifecycle']): readonly Fault[] {
  if (step.complete === undefined || lifecycle === 'delegated') return [];
  const message = 'a conversation is completed by its participants, never by the agent';
  const hint =
    'Write "lifecycle: delegated" at the top of the file, or "say" instead of "complete".';
  return [{ path: [...path, 'complete'], atKey: true, message, hint }];
}

function checkText(text: string, path: Path): readonly Fault[] {
  return findUnknownNames(text).map((name) => ({
    path,
    message: `\${${name}} stands for nothing; there are \${text}, \${participant} and \${result}`,
    hint: `Write $\${${name}} for the characters themselves.`,
  }));
}

/** The texts of a step in which something is put in, and where they stand. */
function textsOf(step: Step): readonly (readonly [Path, string])[] {
  const texts: (readonly [Path, string | null | undefined])[] = [
    ...(['say', 'reply', 'complete', 'fail', 'reject', 'message'] as const).map(
      (verb) => [[verb], step[verb]] as const,
    ),
    ...textsOfArtifact(step.artifact),
    ...textsOfAsk(step.ask),
    ...textsOfTool(step),
    [['require-auth', 'text'], step['require-auth']?.text],
    typeof step.throw === 'object' ? [['throw', 'text'], step.throw.text] : [['throw'], step.throw],
  ];
  return texts.flatMap(([path, text]) => (typeof text === 'string' ? [[path, text] as const] : []));
}

function textsOfAsk(ask: Ask | undefined): readonly (readonly [Path, string | undefined])[] {
  return [[['ask', 'question'], ask?.question]];
}

function textsOfArtifact(
  artifact: Step['artifact'],
): readonly (readonly [Path, string | undefined])[] {
  const chunks = (artifact?.chunks ?? []).map(
    (chunk, index) => [['artifact', 'chunks', index], chunk] as const,
  );
  const parts = (artifact?.parts ?? []).map(
    (part, index) => [['artifact', 'parts', index, 'text'], part.text] as const,
  );
  return [...chunks, ...parts];
}
