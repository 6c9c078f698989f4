import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { type Fields, type TimelessEntry, textIn, withFields } from '../../common/drafts'
import { memberList, memberObject, pathIn, shownWords } from './fields'
import { shownId, type ToolRound } from './rounds'

/**
 * Converts a tool's invocation to its call, and its result where the chat keeps one. Arguments are those that the model gave, else
 * what VS Code keeps of them for the screen, else the words that it shows.
 *
 * @param used gets the id of the round that it is of
 */
export function invocationEntries(
  part: JsonObject,
  rounds: ReadonlyMap<string, ToolRound>,
  used: Set<string>,
): readonly TimelessEntry[] {
  const id = textIn(part.toolCallId)
  const round = id === undefined ? undefined : rounds.get(shownId(id))
  if (round !== undefined) used.add(round.id)
  const name = round?.name ?? textIn(part.toolId) ?? 'tool'
  const named = id === undefined ? {} : { tool_call_id: shownId(id) }
  const message = shownWords(part.pastTenseMessage) || shownWords(part.invocationMessage)
  const args = round?.args ?? argumentsIn(part)
  const isShown = args === undefined && message !== ''
  const about = {
    ...(message === '' || isShown ? {} : { message }),
    ...(isRefused(part.isConfirmed) ? { isConfirmed: part.isConfirmed } : {}),
    ...(part.subAgentInvocationId == null
      ? {}
      : { subAgentInvocationId: part.subAgentInvocationId }),
  }
  const call: TimelessEntry = {
    from: 'copilot',
    to: name,
    content: args ?? JSON.stringify(message === '' ? {} : { message }),
    entry_type: 'tool_call',
    ...named,
  }
  const made = withFields(call, Object.keys(about).length === 0 ? {} : { raw_fields: about })
  const { text, images, isError } = resultOf(part, round)
  if (text === undefined && images.length === 0) return [made]
  const answered: TimelessEntry = {
    from: name,
    to: 'copilot',
    content: text ?? '',
    entry_type: 'tool_result',
    ...named,
  }
  const fields: Fields = {
    ...(isError ? { is_error: true } : {}),
    ...(images.length === 0 ? {} : { images }),
  }
  return [made, withFields(answered, fields)]
}

/** Converts a call that the answer keeps for the model alone. */
export function roundEntries({ id, name, args, result }: ToolRound): readonly TimelessEntry[] {
  const made: TimelessEntry = {
    from: 'copilot',
    to: name,
    content: args,
    entry_type: 'tool_call',
    tool_call_id: id,
  }
  if (result === undefined) return [made]
  const answered = { from: name, to: 'copilot', content: result, tool_call_id: id }
  return [made, { ...answered, entry_type: 'tool_result' }]
}

/** Denied, or skipped; older versions have false. */
function isRefused(isConfirmed: unknown): boolean {
  if (isConfirmed === false) return true
  return isJsonObject(isConfirmed) && (isConfirmed.type === 0 || isConfirmed.type === 5)
}

/** JSON; undefined where the chat keeps none. */
function argumentsIn(part: JsonObject): string | undefined {
  const data = memberObject(part, 'toolSpecificData')
  const { kind, rawInput, input, prompt, description, agentName, todoList, command } = data
  if (kind === 'terminal') {
    const { original, userEdited } = memberObject(data, 'commandLine')
    return JSON.stringify({ command: userEdited ?? original ?? command })
  }
  if (kind === 'input') return JSON.stringify(rawInput ?? {})
  if (kind === 'subagent') return JSON.stringify({ agentName, description, prompt })
  if (kind === 'simpleToolInvocation') return JSON.stringify({ input })
  if (kind === 'todoList') return JSON.stringify({ todoList })
  return textIn(memberObject(part, 'resultDetails').input)
}

interface ToolOutput {
  readonly text: string | undefined
  readonly images: readonly { readonly url: string }[]
  readonly isError: boolean
}

function resultOf(part: JsonObject, round: ToolRound | undefined): ToolOutput {
  const { resultDetails } = part
  const data = memberObject(part, 'toolSpecificData')
  const details = isJsonObject(resultDetails) ? resultDetails : {}
  const outputs = Array.isArray(details.output) ? details.output : [details.output]
  const texts = outputs.flatMap(outputText)
  const shown = texts.length === 0 ? undefined : texts.join('\n')
  const terminal = textIn(memberObject(data, 'terminalCommandOutput').text)
  const own = textIn(data.kind === 'subagent' ? data.result : data.output)
  const found = memberList(part, 'resultDetails').flatMap((place) => pathIn(place) ?? [])
  const files = found.length === 0 ? undefined : found.join('\n')
  return {
    text: round?.result ?? shown ?? terminal ?? own ?? files,
    images: outputs.flatMap(outputImage),
    isError: details.isError === true,
  }
}

function outputText(output: unknown): readonly string[] {
  if (typeof output === 'string') return [output]
  if (!isJsonObject(output)) return []
  const { value, isText, uri } = output
  if (typeof value === 'string') return isText === false ? [] : [value]
  const file = pathIn(uri)
  return file === undefined ? [] : [file]
}

function outputImage(output: unknown): readonly { readonly url: string }[] {
  if (!isJsonObject(output)) return []
  const { mimeType, base64Data, value, isText } = output
  const data = typeof base64Data === 'string' ? base64Data : isText === false ? value : undefined
  if (typeof mimeType !== 'string' || !/^image\/[\w.+-]+$/.test(mimeType)) return []
  return typeof data === 'string' ? [{ url: `data:${mimeType};base64,${data}` }] : []
}
