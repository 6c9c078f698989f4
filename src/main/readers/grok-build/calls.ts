import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { jsonText, textIn } from '../common/drafts'
import { MergedParts } from './parts'

/** Result of a call as far as updates show it, and what its tool gave. */
export interface ShownOutput {
  readonly content?: unknown
  readonly rawOutput?: unknown
  /** How far a call has come that has not ended. */
  readonly status?: unknown
}

/** The part of a step that other records of its call tell. */
interface CallStep {
  input?: unknown
  shown?: ShownOutput
  isCall?: true
}

interface OpenCall {
  readonly step: CallStep
  /** As its own record has them. */
  readonly ownInput: unknown
  input: unknown
  /** Parts that its own record shows, where that ends it. */
  readonly own: ShownSoFar
  /** Parts that were shown since. */
  shown: ShownSoFar
}

/** Arguments that come in pieces, before their call. */
interface OpenPieces {
  readonly index: string
  readonly id: string | undefined
  readonly step: CallStep
  text: string
}

/** States of a call that has not ended. */
const openStates: ReadonlySet<unknown> = new Set([undefined, null, 'pending', 'in_progress'])

/** Returns true for the state of a call that has ended, however it did. */
export function isEnded(status: unknown): boolean {
  return !openStates.has(status)
}

/** Returns true for arguments or an output that say something. */
export function hasAnything(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return !isJsonObject(value) || Object.keys(value).length > 0
}

/**
 * Joins what the updates of each call tell: any of them may have its arguments or a part of its result, the last one need not repeat
 * them, and there may be no last one. Holds arguments and results.
 */
export class GrokCalls {
  private readonly calls = new Map<string, OpenCall>()
  private pieces: OpenPieces[] = []

  /** Takes an update of any kind, whose step is told now or later what others say of its call. */
  take(kind: string, update: JsonObject, step: CallStep): void {
    if (kind === 'tool_call_delta_chunk') this.takePiece(update, step)
    if (kind !== 'tool_call' && kind !== 'tool_call_update') return
    const id = jsonText(update.toolCallId)
    const known = kind === 'tool_call' || id === '' ? undefined : this.calls.get(id)
    if (known !== undefined) tell(known, update, step)
    else if (kind === 'tool_call' || beginsCall(update)) this.begin(kind, id, update, step)
  }

  /** Gives each call what was shown of it, and makes calls of arguments whose call did not come. */
  end(): void {
    for (const call of this.calls.values()) settle(call)
    for (const { step, text } of this.pieces) step.input = text
  }

  private begin(kind: string, id: string, update: JsonObject, step: CallStep): void {
    const before = this.calls.get(id)
    if (before !== undefined) settle(before)
    if (kind === 'tool_call_update') step.isCall = true
    const { rawInput, status } = update
    const text = this.takePieces(id)
    const input = hasAnything(rawInput) || text === '' ? rawInput : text
    const [own, shown] = [new ShownSoFar(), new ShownSoFar()]
    const isEnd = isEnded(status)
    if (isEnd) own.take(update)
    else shown.take(update)
    this.calls.set(id, { step, ownInput: rawInput, input, own, shown })
  }

  /** Takes away the arguments that came in pieces for a call: those with its id, else the first without one. */
  private takePieces(id: string): string {
    const own = this.pieces.findIndex((one) => one.id === id)
    const at = own >= 0 ? own : this.pieces.findIndex((one) => one.id === undefined)
    return at < 0 ? '' : (this.pieces.splice(at, 1)[0]?.text ?? '')
  }

  private takePiece(update: JsonObject, step: CallStep): void {
    const { tool_call_id, tool_index, name, arguments_delta } = update
    const [index, id] = [jsonText(tool_index), textIn(tool_call_id)]
    const open = this.pieces.findLast((one) => one.index === index)
    const text = jsonText(arguments_delta)
    if (open === undefined || id !== undefined || textIn(name) !== undefined)
      this.pieces.push({ index, id, step, text })
    else open.text += text
  }
}

/** An update whose call is not there, such as that of a damaged line, stands for it where it tells more than how the call ended. */
function beginsCall({ rawInput, content, rawOutput, status, title }: JsonObject): boolean {
  if (hasAnything(rawInput) || textIn(title) !== undefined) return true
  return !isEnded(status) && (hasAnything(content) || hasAnything(rawOutput))
}

function tell(call: OpenCall, update: JsonObject, step: CallStep): void {
  if (hasAnything(update.rawInput)) call.input = update.rawInput
  const { status, content, rawOutput } = update
  call.shown.take(update)
  if (!isEnded(status)) return
  const { status: _, ...output } = call.shown.output()
  const isAll = sameJson(output.content, content) && sameJson(output.rawOutput, rawOutput)
  if (!isAll) step.shown = output
  call.shown = new ShownSoFar()
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(hasAnything(other) ? other : undefined)
}

/** Parts that a call showed, update by update; each costs what it tells. */
class ShownSoFar {
  private readonly parts = new MergedParts()
  private rawOutput: unknown
  private status: unknown

  take({ content, rawOutput, status }: JsonObject): void {
    if (hasAnything(content)) this.parts.tell(content)
    if (hasAnything(rawOutput)) this.rawOutput = rawOutput
    if (status !== undefined && status !== null) this.status = status
  }

  output(): ShownOutput {
    const content = this.parts.list()
    return {
      ...(content.length === 0 ? {} : { content }),
      ...(this.rawOutput === undefined ? {} : { rawOutput: this.rawOutput }),
      ...(this.status === undefined ? {} : { status: this.status }),
    }
  }
}

function settle({ step, ownInput, input, own, shown }: OpenCall): void {
  if (input !== ownInput) step.input = input
  const since = shown.output()
  if (since.content === undefined && since.rawOutput === undefined) return
  own.take({ ...since })
  step.shown = { ...own.output(), status: since.status }
}
