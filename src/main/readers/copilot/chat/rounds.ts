import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { textIn } from '../../common/drafts'
import { memberList, memberObject } from './fields'

/** A call as the model made it, and what the tool told the model. */
export interface ToolRound {
  readonly id: string
  readonly name: string
  /** JSON. */
  readonly args: string
  readonly result: string | undefined
}

/** Returns the calls that an answer keeps for the model, by their id in the answer's parts. */
export function toolRounds(metadata: JsonObject): ReadonlyMap<string, ToolRound> {
  const results = memberObject(metadata, 'toolCallResults')
  const rounds = new Map<string, ToolRound>()
  for (const round of memberList(metadata, 'toolCallRounds'))
    for (const call of isJsonObject(round) ? memberList(round, 'toolCalls') : []) {
      if (!isJsonObject(call)) continue
      const id = textIn(call.id)
      if (id === undefined) continue
      const args =
        typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
      const result = Object.hasOwn(results, id) ? resultText(results[id]) : undefined
      rounds.set(shownId(id), { id: shownId(id), name: textIn(call.name) ?? 'tool', args, result })
    }
  return rounds
}

/** Calls of one turn have names of VS Code's own behind the model's: "call_1__vscode-1779494824814". */
export function shownId(id: string): string {
  return id.replace(/__vscode-\d+$/, '')
}

/** The texts of a result: plain ones, and those in the tree of a prompt. */
function resultText(result: unknown): string | undefined {
  if (!isJsonObject(result)) return undefined
  const texts = memberList(result, 'content').map((part) => {
    const value = isJsonObject(part) ? part.value : part
    return typeof value === 'string' ? value : isJsonObject(value) ? nodeText(value.node, 0) : ''
  })
  return texts.filter((text) => text !== '').join('\n')
}

const deepestNode = 100

function nodeText(node: unknown, depth: number): string {
  if (!isJsonObject(node) || depth > deepestNode) return ''
  const own = typeof node.text === 'string' ? node.text : ''
  return (
    own +
    memberList(node, 'children')
      .map((child) => nodeText(child, depth + 1))
      .join('')
  )
}
