// The least that an HTTP server on Fastify does with a message: parses it and answers with a text of a task's size.
import Fastify from 'fastify';

const app = Fastify();
app.post('/', (request, reply) => {
  const { id } = /** @type {{ id: number }} */ (request.body);
  const result = { task: { id: 'x'.repeat(750) } };
  reply.header('content-type', 'application/json').send(JSON.stringify({ id, result }));
});
process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}/\n`);
