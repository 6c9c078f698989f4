import { callArguments } from './call-arguments'
import type { PairedCall } from './call-pairing'
import { callToolName, looseText, sessionImages, sessionText } from './session-entry'
import { createSessionExporter, type NewSession, type SessionForm } from './session-exporter'
import { createCallIds, createOpenCodeIds, sessionTimeMs } from './session-ids'
import { sessionJson } from './session-json'
import { modelNamed, providerNamed } from './session-model'
import type { TimedEntry, WrittenStep } from './session-steps'

/** The version whose form is written here: of the import that was read, not that of the newest program. */
const writtenVersion = '1.2.0'
const agent = 'build'
const unknownModel = { providerID: 'unknown', modelID: 'unknown' }

/**
 * A file for `opencode import`, which makes a session of it in the project's folder: `{info, messages: [{info, parts}]}`, by
 * OpenCode's source up to 2.0. A call and its result are one part. Thoughts and compactions are left out.
 */
const openCodeForm: SessionForm = {
  id: 'opencode',
  extension: 'json',
  mediaType: 'application/json',
  places: { reasoning: false, compaction: false },
  keepsModel: () => true,
  keepsErrors: true,
  async *write(head, steps) {
    const nextId = createOpenCodeIds(head.id)
    const startedMs = sessionTimeMs(head.id)
    const sessionID = nextId('ses', startedMs)
    const session = {
      id: sessionID,
      slug: sessionID.slice(-8).toLowerCase(),
      version: writtenVersion,
      projectID: 'global',
      directory: head.folder,
      title: head.title,
      time: { created: startedMs, updated: startedMs },
    }
    const ids = createOpenCodeIds(`${head.id} messages`)
    const writer = new Messages(head, sessionID, ids)
    yield `{"info":${sessionJson(session)},"messages":[`
    let before = '\n'
    for await (const step of steps) {
      yield before + sessionJson(writer.messageOf(step))
      before = ',\n'
    }
    yield '\n]}\n'
  },
}

/** Exporter of files for OpenCode's import. */
export const openCodeExporter = createSessionExporter(openCodeForm)

/** Makes messages: each names the session, an answer also the person's message before it. */
class Messages {
  private readonly head: NewSession
  private readonly sessionID: string
  private readonly nextId: ReturnType<typeof createOpenCodeIds>
  private parentID: string | undefined
  private model = unknownModel
  private readonly callId: ReturnType<typeof createCallIds>

  constructor(head: NewSession, sessionID: string, nextId: ReturnType<typeof createOpenCodeIds>) {
    this.head = head
    this.sessionID = sessionID
    this.nextId = nextId
    this.callId = createCallIds(head.id)
  }

  messageOf(step: WrittenStep): object {
    const { conversation } = this.head
    if (step.type === 'loose') {
      const { entry, atMs } = step.entry
      return this.answer([step.entry], (part) => [
        part({ type: 'text', text: looseText(entry) }, atMs),
      ])
    }
    if (step.type === 'other') return this.spoken(step.entry)
    const said = [...step.words, ...step.calls.flatMap(({ call, result }) => [call, result])]
    return this.answer(
      said,
      (part) => [
        ...step.words.map(({ entry, atMs }) =>
          part({ type: 'text', text: sessionText(entry, conversation) }, atMs),
        ),
        ...step.calls.map((pair) => part(this.toolPart(pair, part), pair.call.atMs)),
      ],
      step.calls.length > 0 ? 'tool-calls' : 'stop',
    )
  }

  private spoken({ entry, atMs }: TimedEntry): object {
    const id = this.nextId('msg', atMs)
    this.parentID = id
    const text = sessionText(entry, this.head.conversation)
    const part = this.partsOf(id)
    return {
      info: {
        id,
        sessionID: this.sessionID,
        role: 'user',
        time: { created: atMs },
        agent,
        model: this.model,
      },
      parts: [
        ...(text === '' ? [] : [part({ type: 'text', text }, atMs)]),
        ...filesOf(entry).map((file) => part(file, atMs)),
      ],
    }
  }

  private answer(
    said: readonly TimedEntry[],
    partsOf: (part: ReturnType<Messages['partsOf']>) => readonly object[],
    finish = 'stop',
  ): object {
    const created = said[0]?.atMs ?? 0
    const id = this.nextId('msg', created)
    const named = modelNamed(said.map(({ entry }) => entry))
    const model =
      named === undefined ? unknownModel : { providerID: providerNamed(named), modelID: named }
    if (named !== undefined) this.model = model
    const { folder } = this.head
    return {
      info: {
        id,
        sessionID: this.sessionID,
        role: 'assistant',
        time: { created, completed: said.at(-1)?.atMs ?? created },
        // A conversation may begin with an answer: it is nobody's but its own.
        parentID: this.parentID ?? id,
        ...model,
        mode: agent,
        agent,
        path: { cwd: folder, root: folder },
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        finish,
      },
      parts: partsOf(this.partsOf(id)),
    }
  }

  private partsOf(messageID: string): (fields: object, atMs: number) => object {
    const { sessionID } = this
    return (fields, atMs) => ({ id: this.nextId('prt', atMs), sessionID, messageID, ...fields })
  }

  private toolPart(
    { call, result }: PairedCall<TimedEntry>,
    part: ReturnType<Messages['partsOf']>,
  ): object {
    const { content, metadata } = result.entry
    const time = { start: call.atMs, end: result.atMs }
    const { json: input } = callArguments(call.entry)
    const state =
      metadata?.is_error === true
        ? { status: 'error', input, error: content, time }
        : { status: 'completed', input, output: content, title: '', metadata: {}, time }
    const files = filesOf(result.entry).map((file) => part(file, result.atMs))
    return {
      type: 'tool',
      callID: this.callId(call.entry.tool_call_id),
      tool: callToolName(call.entry),
      state: files.length === 0 ? state : { ...state, attachments: files },
    }
  }
}

function filesOf(entry: TimedEntry['entry']): readonly object[] {
  return (sessionImages(entry) ?? []).map(({ mime, data }) => ({
    type: 'file',
    mime,
    url: `data:${mime};base64,${data}`,
  }))
}
