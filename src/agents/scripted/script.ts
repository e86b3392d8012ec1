/** A scenario that was checked, ready to be played. */
import type {
  Ask,
  Condition,
  Rule,
  Scenario,
  Step,
  Steps,
  ToolStep,
} from '@tiny-harness/contract/scenario';
import type { Heard } from './heard.ts';

/** Steps, and where in the scenario they stand: `rules/0/do`. */
export interface Passage {
  readonly steps: Steps;
  readonly path: string;
}

/** Steps, and the messages that they are for. */
interface ScriptRule extends Passage {
  matches(heard: Heard): boolean;
}

/** A step that asks somebody, and what is played with the answer. */
interface Question {
  readonly asks: Ask | ToolStep;
  readonly then: Passage | undefined;
}

/** What the agent plays. */
export interface Script {
  /** Changes whenever the scenario does. */
  readonly version: string;
  readonly lifecycle: Scenario['lifecycle'];
  readonly rules: readonly ScriptRule[];
  /** Every question, in the order of the file: what is remembered of a question is its place here. */
  readonly questions: readonly Question[];
}

/** How many characters of a text a regular expression sees: what it may cost must not be the sender's choice. */
const MATCHED_CHARACTERS = 4096;

/** Prepares a scenario that has no fault. */
export function createScript(scenario: Scenario, version: string): Script {
  const rules = scenario.rules.map((rule, index) => {
    return { matches: createMatcher(rule), steps: rule.do, path: `rules/${index}/do` };
  });
  return { version, lifecycle: scenario.lifecycle, rules, questions: rules.flatMap(listQuestions) };
}

/** Whether a tool asks somebody, so that something can be done with an answer. */
export function isAsking({ name }: ToolStep): boolean {
  return name === 'ask_participant';
}

/** Whether a step answers before there is a task, so that it is for first messages only. */
export function isOpening(step: Step): boolean {
  return step.message !== undefined || (typeof step.throw === 'object' && 'before' in step.throw);
}

/** Compiles the pattern of a `matches`. @throws SyntaxError when it is not a regular expression */
export function compilePattern(source: string): RegExp {
  return new RegExp(source, 'su');
}

function createMatcher({ when = {}, do: steps }: Rule): (heard: Heard) => boolean {
  const tests = listTests(when);
  if (isOpening(steps[0])) tests.push(({ first }) => first);
  return (heard) => tests.every((test) => test(heard));
}

function listTests(condition: Condition): ((heard: Heard) => boolean)[] {
  const { equals, contains, matches, turn, participant } = condition;
  const tests: ((heard: Heard) => boolean)[] = [];
  if (turn !== undefined) tests.push(({ first }) => first === (turn === 'first'));
  if (participant !== undefined) tests.push((heard) => heard.participant === participant);
  if (equals !== undefined) tests.push(({ text }) => text === equals);
  if (contains !== undefined) tests.push(({ text }) => text.includes(contains));
  if (matches !== undefined) {
    const pattern = compilePattern(matches);
    tests.push(({ text }) => pattern.test(text.slice(0, MATCHED_CHARACTERS)));
  }
  return tests;
}

function listQuestions({ steps, path }: Passage): readonly Question[] {
  return steps.flatMap(({ ask, tool }, index) => {
    const asks = ask ?? (tool !== undefined && isAsking(tool) ? tool : undefined);
    if (asks === undefined) return [];
    const verb = ask === undefined ? 'tool' : 'ask';
    const then = asks.then && { steps: asks.then, path: `${path}/${index}/${verb}/then` };
    return [{ asks, then }, ...(then === undefined ? [] : listQuestions(then))];
  });
}
