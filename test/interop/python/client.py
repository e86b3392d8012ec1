"""Drives the Python SDK's client against a server: python client.py BASE_URL BINDING WEBHOOK_URL.

Prints one JSON object a check: its name, and what went wrong or null.
"""

import asyncio
import json
import sys
import traceback
import uuid

import httpx
from a2a.client import ClientCallContext, ClientConfig, ClientFactory
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    InvalidParamsError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
    VersionNotSupportedError,
)

BASE_URL, BINDING, WEBHOOK_URL = sys.argv[1:4]
CHECKS = []


def check(function):
    """Registers a check."""
    CHECKS.append(function)
    return function


async def connect(streaming=True, polling=False):
    config = ClientConfig(
        httpx_client=httpx.AsyncClient(timeout=20),
        streaming=streaming,
        polling=polling,
        supported_protocol_bindings=[BINDING],
    )
    return await ClientFactory(config).create_from_url(BASE_URL)


def request_of(text, media_type="", **fields):
    request = SendMessageRequest()
    message = request.message
    message.message_id = fields.pop("message_id", str(uuid.uuid4()))
    message.role = Role.ROLE_USER
    part = message.parts.add()
    part.text = text
    part.media_type = media_type
    for name, value in fields.items():
        setattr(message, name, value)
    return request


async def collect(events):
    return [event async for event in events]


async def send(text, polling=False, context=None, **fields):
    client = await connect(streaming=False, polling=polling)
    (event,) = await collect(client.send_message(request_of(text, **fields), context=context))
    return event.task


async def refused(error, awaitable):
    """Expects exactly this class of error, which the server's answer is mapped to."""
    try:
        await awaitable
    except error:
        return
    raise AssertionError(f"{error.__name__} was not raised")


def kinds(events):
    return [event.WhichOneof("payload") for event in events]


def equal(got, expected):
    assert got == expected, f"got {got!r}, expected {expected!r}"


@check
async def sends_and_waits():
    task = await send("hello")
    equal(task.status.state, TaskState.TASK_STATE_INPUT_REQUIRED)
    equal(task.artifacts[0].parts[0].text, "You said: hello")
    equal([each.role for each in task.history], [Role.ROLE_USER, Role.ROLE_AGENT])
    done = await send("go on", task_id=task.id)
    equal((done.id, done.status.state), (task.id, TaskState.TASK_STATE_COMPLETED))


@check
async def sends_and_does_not_wait():
    task = await send("probe:slow", polling=True)
    equal(task.status.state, TaskState.TASK_STATE_WORKING)
    client = await connect()
    equal((await client.get_task(GetTaskRequest(id=task.id))).id, task.id)


@check
async def gets_a_message():
    client = await connect(streaming=False)
    (event,) = await collect(client.send_message(request_of("probe:message")))
    equal(event.message.parts[0].text, "A direct answer.")


@check
async def streams():
    client = await connect()
    events = await collect(client.send_message(request_of("probe:slow")))
    equal(kinds(events)[0], "task")
    equal(kinds(events).count("artifact_update"), 6)
    equal(events[-1].status_update.status.state, TaskState.TASK_STATE_COMPLETED)


@check
async def subscribes():
    task = await send("probe:slow", polling=True)
    client = await connect()
    events = await collect(client.subscribe(SubscribeToTaskRequest(id=task.id)))
    equal(kinds(events)[0], "task")
    equal(events[-1].status_update.status.state, TaskState.TASK_STATE_COMPLETED)


@check
async def cancels():
    task = await send("probe:slow", polling=True)
    client = await connect()
    canceled = await client.cancel_task(CancelTaskRequest(id=task.id))
    equal(canceled.status.state, TaskState.TASK_STATE_CANCELED)


@check
async def lists():
    context_id = str(uuid.uuid4())
    ids = {(await send(text, context_id=context_id)).id for text in ("one", "two", "three")}
    client = await connect()
    request = ListTasksRequest(context_id=context_id, page_size=2, include_artifacts=True)
    first = await client.list_tasks(request)
    equal((len(first.tasks), first.total_size, first.page_size), (2, 3, 2))
    request.page_token = first.next_page_token
    second = await client.list_tasks(request)
    equal((len(second.tasks), second.next_page_token), (1, ""))
    equal({task.id for task in [*first.tasks, *second.tasks]}, ids)
    request = ListTasksRequest(context_id=context_id, status=TaskState.TASK_STATE_FAILED)
    equal((await client.list_tasks(request)).total_size, 0)


@check
async def has_a_webhook_notified():
    client = await connect()
    task = await send("hello")
    config = TaskPushNotificationConfig(task_id=task.id, id="mine", url=WEBHOOK_URL, token="token")
    made = await client.create_task_push_notification_config(config)
    equal((made.id, made.url), ("mine", WEBHOOK_URL))
    key = GetTaskPushNotificationConfigRequest(task_id=task.id, id="mine")
    equal((await client.get_task_push_notification_config(key)).url, WEBHOOK_URL)
    every = ListTaskPushNotificationConfigsRequest(task_id=task.id)
    listed = await client.list_task_push_notification_configs(every)
    equal([each.id for each in listed.configs], ["mine"])
    await send("go on", task_id=task.id)
    # The test that runs this looks at what the webhook got.
    other = TaskPushNotificationConfig(task_id=task.id, id="other", url=WEBHOOK_URL)
    await client.create_task_push_notification_config(other)
    gone = DeleteTaskPushNotificationConfigRequest(task_id=task.id, id="other")
    await client.delete_task_push_notification_config(gone)
    listed = await client.list_task_push_notification_configs(every)
    equal([each.id for each in listed.configs], ["mine"])


@check
async def recognises_errors():
    client = await connect()
    done = await send("probe:complete")
    unknown = str(uuid.uuid4())
    await refused(TaskNotFoundError, client.get_task(GetTaskRequest(id=unknown)))
    await refused(TaskNotFoundError, send("hello", task_id=unknown))
    await refused(TaskNotCancelableError, client.cancel_task(CancelTaskRequest(id=done.id)))
    ended = client.subscribe(SubscribeToTaskRequest(id=done.id))
    await refused(UnsupportedOperationError, collect(ended))
    await refused(UnsupportedOperationError, send("more", task_id=done.id))
    await refused(ContentTypeNotSupportedError, send("x", media_type="video/mp4"))
    await refused(InvalidParamsError, send("hello", message_id=""))
    stream = client.send_message(request_of("hello", task_id=unknown))
    await refused(TaskNotFoundError, collect(stream))
    version = ClientCallContext(service_parameters={"A2A-Version": "2.0"})
    await refused(VersionNotSupportedError, send("hello", context=version))
    extension = ClientCallContext(service_parameters={"A2A-Extensions": "https://example.com/x"})
    await refused(UnsupportedOperationError, send("hello", context=extension))


@check
async def reads_cards():
    client = await connect()
    # Without the capability the client gives the public card, as it was fetched.
    card = await client.get_extended_agent_card(GetExtendedAgentCardRequest())
    bindings = [each.protocol_binding for each in card.supported_interfaces]
    equal(bindings, ["JSONRPC", "HTTP+JSON"])
    equal((card.capabilities.streaming, card.capabilities.push_notifications), (True, True))


@check
async def says_who_is_calling():
    def as_(participant):
        return ClientCallContext(service_parameters={"X-Participant-Id": participant})

    task = await send("hello", context=as_("alice"))
    client = await connect()
    request = GetTaskRequest(id=task.id)
    equal((await client.get_task(request, context=as_("alice"))).id, task.id)
    await refused(TaskNotFoundError, client.get_task(request, context=as_("bob")))


async def main():
    for function in CHECKS:
        error = None
        try:
            await asyncio.wait_for(function(), timeout=30)
        except Exception:
            error = traceback.format_exc()
        print(json.dumps({"check": function.__name__, "error": error}), flush=True)


asyncio.run(main())
