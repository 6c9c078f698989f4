import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../../common/drafts'
import {
  answerEntry,
  cursorCall,
  cursorNotice,
  cursorResult,
  personEntries,
  thoughtEntry,
  withBearer,
} from './entries'
import { assetOf, pictureUrl } from './pictures'

/** A mark at which the editor compacted a chat. */
const compactionMark = 22

/**
 * Converts a message of the editor to entries; none where it says nothing, as while it is written.
 *
 * @param said the editor writes 1 for a person and 2 for a model; older versions `user` and `ai`
 */
export function bubbleEntries(bubble: JsonObject): readonly TimelessEntry[] {
  const said = bubble.type
  const text = textIn(bubble.text) ?? textIn(bubble.rawText)
  if (said === 1 || said === 'user')
    return withBearer(personEntries(text ?? ''), filesOf(bubble)).filter(isNoBlank)
  if (said !== 2 && said !== 'ai')
    return [
      unknownEntry('cursor', `bubble of type ${jsonText(said)}`, text ?? JSON.stringify(bubble)),
    ]
  const thought = thoughtOf(bubble)
  const words = text ?? codeOf(bubble)
  const entries = [
    ...(thought === undefined ? [] : [thoughtEntry(thought)]),
    ...(bubble.capabilityType === compactionMark ? [compaction(words ?? '')] : []),
    ...(words === undefined || bubble.capabilityType === compactionMark
      ? []
      : [answerEntry(words)]),
    ...toolEntries(bubble.toolFormerData),
    ...errorEntries(bubble.errorDetails),
  ]
  return withBearer(entries, { ...modelOf(bubble), ...usageOf(bubble) })
}

function isNoBlank({ content, metadata }: TimelessEntry): boolean {
  return content.trim() !== '' || metadata !== undefined
}

function thoughtOf({ thinking }: JsonObject): string | undefined {
  return textIn(isJsonObject(thinking) ? thinking.text : thinking)
}

/** Older versions keep an answer that is code alone beside an empty text. */
function codeOf({ codeBlocks, toolFormerData }: JsonObject): string | undefined {
  if (!Array.isArray(codeBlocks) || isJsonObject(toolFormerData)) return undefined
  const texts = codeBlocks.flatMap((block) =>
    isJsonObject(block) ? (textIn(block.content) ?? []) : [],
  )
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

function compaction(content: string): TimelessEntry {
  return { from: 'cursor', to: 'cursor', content, entry_type: 'compaction' }
}

/** A call and its result are in one message. Some have neither name nor arguments: nothing was called. */
function toolEntries(tool: unknown): readonly TimelessEntry[] {
  if (!isJsonObject(tool)) return []
  const { status, userDecision } = tool
  const args = textIn(tool.rawArgs) ?? tool.params ?? tool.rawArgs
  const result = textIn(tool.error) ?? tool.result
  const named = textIn(tool.name)
  if (named === undefined && args == null && result == null) return []
  const name = named ?? `tool ${jsonText(tool.tool)}`.trim()
  const id = textIn(tool.toolCallId)
  const rawFields = {
    ...(status === 'cancelled' ? { status } : {}),
    ...(userDecision == null || userDecision === 'accepted' ? {} : { userDecision }),
  }
  const call = withFields(
    cursorCall(name, id, args),
    Object.keys(rawFields).length === 0 ? {} : { raw_fields: rawFields },
  )
  if (result == null || result === '') return [call]
  return [call, cursorResult(name, id, plainResult(result), status === 'error')]
}

/** A result is JSON as text. Where that is one text, as a command's output is, it is the result. */
function plainResult(result: unknown): string {
  const text = jsonText(result)
  if (!text.startsWith('{')) return text
  try {
    const values = Object.values(JSON.parse(text) as object)
    const [only] = values
    return values.length === 1 && typeof only === 'string' ? only : text
  } catch {
    return text
  }
}

function errorEntries(details: unknown): readonly TimelessEntry[] {
  if (!isJsonObject(details) || Object.keys(details).length === 0) return []
  return [cursorNotice(textIn(details.message) ?? JSON.stringify(details), 'error')]
}

function modelOf({ modelInfo }: JsonObject): Fields {
  const model = isJsonObject(modelInfo) ? textIn(modelInfo.modelName) : undefined
  return model === undefined ? {} : { model }
}

/** Newer versions write zeros. The messages of one answer repeat its numbers. */
function usageOf({ tokenCount, usageUuid, requestId }: JsonObject): Fields {
  if (!isJsonObject(tokenCount)) return {}
  const input = countOf(tokenCount.inputTokens)
  const output = countOf(tokenCount.outputTokens)
  if (input + output === 0) return {}
  const reply = textIn(usageUuid) ?? textIn(requestId)
  return { usage: { input, output }, ...(reply === undefined ? {} : { reply }) }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}

function filesOf({ context, images }: JsonObject): Fields {
  const files = isJsonObject(context) ? listOf(context.fileSelections) : []
  const attachments = files.flatMap(({ uri }) => {
    const path = isJsonObject(uri) ? (textIn(uri.fsPath) ?? textIn(uri.path)) : undefined
    return path === undefined ? [] : [{ name: path }]
  })
  const pictures = [
    ...listOf(images),
    ...(isJsonObject(context) ? listOf(context.selectedImages) : []),
  ]
  const found = new Map<string, Fields>()
  for (const { path, uuid, data } of pictures) {
    const name = textIn(path) ?? textIn(uuid)
    if (name === undefined) continue
    const asset = assetOf(name)
    const url = pictureUrl(data, undefined)
    found.set(name, {
      ...found.get(name),
      name,
      ...(asset === undefined ? {} : { asset }),
      ...(url === undefined ? {} : { url }),
    })
  }
  return {
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(found.size === 0 ? {} : { images: [...found.values()] }),
  }
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
