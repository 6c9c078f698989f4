import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { textIn } from '../common/drafts'
import { GrokCalls, type ShownOutput } from './calls'

/** Words of somebody, of which a log has pieces. */
export interface GrokWords {
  readonly by: 'user' | 'agent' | 'thought'
  text: string
  /** Parts that are no text: pictures, and links to files. */
  readonly parts: JsonObject[]
  /** The record of the first piece, without what it says. */
  readonly meta: JsonObject
}

/** Part of a session, in its place in the tree. */
export type GrokStep = {
  /** The number of its first line. */
  readonly id: string
  readonly previous: string | null
} & ({ readonly type: 'words'; readonly words: GrokWords; usage?: JsonObject } | GrokRecord)

/** A record by itself, with what other records tell of the call that it belongs to. */
interface GrokRecord {
  readonly type: 'record'
  readonly line: number
  /** The arguments of a call that is told by other records. */
  input?: unknown
  /** Parts of its result that other records show. */
  shown?: ShownOutput
  /** True for an update of a call that no record before it began. */
  isCall?: true
  usage?: JsonObject
}

type Speaker = GrokWords['by']

const speakers: Readonly<Record<string, Speaker>> = {
  user_message_chunk: 'user',
  agent_message_chunk: 'agent',
  agent_thought_chunk: 'thought',
}

/**
 * Plays a session's updates in their order: joins the pieces of a text, gives calls their arguments and answers their tokens, and goes on
 * from before a prompt that was taken back. Holds the texts.
 */
export class GrokPlay {
  readonly steps: GrokStep[] = []
  title: string | undefined
  /** The number of steps that say something. */
  said = 0
  private last: string | null = null
  /** What each prompt on the way to here goes on from. */
  private readonly prompts: (string | null)[] = []
  private open: { readonly words: GrokWords; readonly mark: string } | undefined
  private readonly calls = new GrokCalls()
  /** The last answer and the last call since a person spoke. */
  private turn: { answer?: GrokStep; call?: GrokStep } = {}

  /** Takes the record on a line. @param isSilent an update that says nothing */
  take(record: JsonObject, line: number, isSilent: (update: JsonObject) => boolean): void {
    const params = isJsonObject(record.params) ? record.params : {}
    const update = isJsonObject(params.update) ? params.update : {}
    const meta = isJsonObject(params._meta) ? params._meta : {}
    const kind = textIn(update.sessionUpdate) ?? ''
    const by = speakers[kind]
    if (by !== undefined) this.speak(by, update.content, record, meta, line)
    else if (kind === 'rewind_marker') this.rewind(update.target_prompt_index)
    else if (kind === 'turn_completed') this.settle(update)
    else if (kind === 'session_summary_generated') this.title = textIn(update.session_summary)
    if (by !== undefined) return
    const step: GrokStep = { type: 'record', id: `${line}`, previous: this.last, line }
    this.calls.take(kind, update, step)
    if (isSilent(update) && step.isCall !== true) {
      // Kept in its place, and nothing goes on from it.
      this.steps.push(step)
      return
    }
    this.open = undefined
    this.add(step)
    if (kind === 'tool_call' || step.isCall === true) this.turn.call = step
  }

  /** Ends the play: what was shown of calls that have not ended stands with them. */
  end(): void {
    this.calls.end()
  }

  private speak(by: Speaker, content: unknown, record: JsonObject, meta: JsonObject, line: number) {
    const { promptIndex, promptId, streamStartMs } = meta
    const mark = JSON.stringify([by, by === 'user' ? promptIndex : [promptId, streamStartMs]])
    if (this.open?.mark !== mark) {
      const { params: _, ...own } = record
      const words: GrokWords = { by, text: '', parts: [], meta: { ...own, _meta: meta } }
      if (by === 'user') this.prompts.push(this.last)
      this.open = { words, mark }
      const step: GrokStep = { type: 'words', id: `${line}`, previous: this.last, words }
      if (by === 'user') this.turn = {}
      if (by === 'agent') this.turn.answer = step
      this.add(step)
    }
    const { words } = this.open
    for (const part of Array.isArray(content) ? content : [content]) {
      const text = typeof part === 'string' ? part : isJsonObject(part) ? part.text : undefined
      if (typeof text === 'string' && (!isJsonObject(part) || part.type === 'text'))
        words.text += text
      else if (isJsonObject(part)) words.parts.push(part)
    }
  }

  private add(step: GrokStep): void {
    this.said += 1
    this.steps.push(step)
    this.last = step.id
  }

  private rewind(target: unknown): void {
    this.open = undefined
    if (typeof target !== 'number' || !Number.isInteger(target)) return
    const before = this.prompts[target]
    if (before === undefined) return
    this.last = before
    this.prompts.length = target
  }

  /** The tokens of a turn are at its last words, else at its last call. */
  private settle({ usage }: JsonObject): void {
    this.open = undefined
    if (!isJsonObject(usage)) return
    const { answer, call } = this.turn
    const bearer = answer ?? call
    if (bearer !== undefined) bearer.usage = usage
    this.turn = {}
  }
}
