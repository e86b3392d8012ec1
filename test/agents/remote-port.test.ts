/** A remote agent is an agent like any other: a second instance of this server does its turns. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder, startApp } from '../support/server.ts';
import { testAgent } from './contract.ts';
import { createFarAgent } from './remote-world.ts';

const SCENARIO = `
lifecycle: delegated
rules:
  - when: { equals: busy }
    do:
      - say: One.
      - wait: 60ms
      - say: Two.
      - wait: 60ms
      - artifact: { id: a, chunks: [x, y, z], every: 30ms }
      - complete: Done.
`;

let turns = 0;

testAgent('a remote agent', {
  busyWith: 'busy',
  async create() {
    const scenario = join(createFolder(), 'scenario.yaml');
    writeFileSync(scenario, SCENARIO);
    const far = await startApp({ scenario });
    const { agent } = createFarAgent(far.url);
    // Each turn of these tests is a task of its own: the same task's turns would go on with what the first began.
    const run: typeof agent.run = (turn) => {
      turns += 1;
      return agent.run({ ...turn, taskId: `task-${turns}` });
    };
    return { ...agent, run };
  },
});
