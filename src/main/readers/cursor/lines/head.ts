import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { textIn } from '../../common/drafts'
import { secondsFrom } from './times'

/** The facts of a chat besides its messages. */
export interface ChatHead {
  /** Undefined until the program or a person gave one. */
  readonly title: string | undefined
  readonly project: string | null
  /** Unix seconds. */
  readonly createdAt: number | undefined
  readonly updatedAt: number | undefined
  /** Of answers that name none: the one that is chosen now. */
  readonly model: string | undefined
  /** The chat that called it, of a subagent, and the call. */
  readonly parent: string | undefined
  readonly call: string | undefined
}

/** Titles and models that stand for none. */
const placeholder = /^(?:New (?:Agent|Chat)|Untitled|Chat \d+)$/i
const automatic: ReadonlySet<string> = new Set(['default', 'auto'])

/** Reads the first line of a chat, of whichever store. */
export function cursorHead(row: JsonObject): ChatHead {
  const beside = objectAt(row, 'beside')
  const subagent = objectAt(row, 'subagentInfo')
  const titles = [beside.title, row.name, row.chatTitle]
  const model = textIn(row.lastUsedModel) ?? textIn(objectAt(row, 'modelConfig').modelName)
  return {
    title: titles
      .map((one) => textIn(one)?.trim())
      .find((one) => one !== undefined && !placeholder.test(one)),
    project: textIn(beside.cwd) ?? textIn(row.project) ?? null,
    createdAt: secondsFrom(row.createdAt) ?? secondsFrom(beside.createdAtMs),
    updatedAt: newest(row.lastUpdatedAt, row.lastMessageAt, row.lastSendTime, beside.updatedAtMs),
    model: model === undefined || automatic.has(model) ? undefined : model,
    parent: textIn(subagent.parentComposerId),
    call: textIn(subagent.toolCallId),
  }
}

/** Facts of a chat of which nothing is told. */
export const noHead: ChatHead = cursorHead({})

function objectAt(row: JsonObject, name: string): JsonObject {
  const value = row[name]
  return isJsonObject(value) ? value : {}
}

function newest(...times: readonly unknown[]): number | undefined {
  const known = times.flatMap((time) => secondsFrom(time) ?? [])
  return known.length === 0 ? undefined : Math.max(...known)
}
