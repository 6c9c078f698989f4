import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'
import { answerParts } from './calls-in-text'
import { userText } from './wrappers'

/** Converts the content of a message in a person's name: their words as one entry, and what tools and the program put there. */
export function userEntries(content: unknown): readonly TimelessEntry[] {
  const words: string[] = []
  const images: { readonly url: string }[] = []
  const attachments: Fields[] = []
  const others: TimelessEntry[] = []
  for (const block of blocksOf(content)) {
    if (block.type === 'text' && typeof block.text === 'string')
      for (const part of userText(block.text)) {
        if (part.type === 'said') words.push(part.text)
        else if (part.type === 'injected') others.push(injected(part.text))
        else others.push(resultEntry(part.tool, undefined, part.text))
      }
    else if (block.type === 'image') {
      const image = imageOf(block)
      if (image === undefined) others.push(otherBlock(block))
      else images.push(image)
    } else if (block.type === 'document' || block.type === 'file')
      attachments.push(documentOf(block))
    else others.push(otherBlock(block))
  }
  const isSilent = words.length === 0 && images.length + attachments.length === 0
  if (isSilent) return others
  const said = withFields(
    { from: 'user', to: 'cline', content: words.join('\n\n'), entry_type: 'message', role: 'user' },
    {
      ...(images.length === 0 ? {} : { images }),
      ...(attachments.length === 0 ? {} : { attachments }),
    },
  )
  // Results come before what a person says to them; what the editor tells comes last.
  const results = others.filter(({ entry_type: type }) => type === 'tool_result')
  return [...results, said, ...others.filter((one) => !results.includes(one))]
}

/** Converts the content of an answer: thoughts, words and calls, in their order. */
export function answerEntries(content: unknown): readonly TimelessEntry[] {
  return blocksOf(content).flatMap((block): readonly TimelessEntry[] => {
    if (block.type === 'text' && typeof block.text === 'string')
      return answerParts(block.text).map((part) => {
        if (part.type === 'call') return callEntry(part.tool, undefined, JSON.stringify(part.args))
        return part.type === 'words' ? answer(part.text) : thoughts(part.text)
      })
    const thought =
      textIn(block.thinking) ?? (block.type === 'reasoning' ? textIn(block.text) : undefined)
    if (thought !== undefined) return [thoughts(thought)]
    // Its words are encrypted.
    if (block.type === 'redacted_thinking' || block.type === 'thinking') return []
    return [otherBlock(block)]
  })
}

/** Converts a summary in the place of what came before: its texts as one entry, then what else is in it. */
export function summaryEntries(content: unknown): readonly TimelessEntry[] {
  const texts: string[] = []
  const others: TimelessEntry[] = []
  for (const block of blocksOf(content))
    if (typeof block.text === 'string') texts.push(block.text)
    else others.push(otherBlock(block))
  const summary = texts.join('\n\n')
  const metadata = { summary }
  const told = { from: 'cline', to: 'cline', content: summary, metadata } as const
  return [{ ...told, entry_type: 'compaction' }, ...others]
}

/** Text alone is one block. */
function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return content == null ? [] : [{ type: 'unknown', content }]
  return content.map((block: unknown) => {
    if (typeof block === 'string') return { type: 'text', text: block }
    return isJsonObject(block) ? block : { type: 'unknown', content: block }
  })
}

function otherBlock(block: JsonObject): TimelessEntry {
  if (block.type === 'tool_use') {
    const { input, name, id } = block
    return callEntry(textIn(name) ?? 'tool', textIn(id), jsonText(input ?? {}))
  }
  if (block.type === 'tool_result') return toolResult(block)
  const type = typeof block.type === 'string' ? block.type : 'unknown'
  return unknownEntry('cline', type, JSON.stringify(block))
}

function toolResult(block: JsonObject): TimelessEntry {
  const { tool_use_id: id, content, is_error: isError } = block
  const texts: string[] = []
  const images: { readonly url: string }[] = []
  for (const part of blocksOf(content)) {
    const image = part.type === 'image' ? imageOf(part) : undefined
    if (image !== undefined) images.push(image)
    else if (typeof part.text === 'string') texts.push(part.text)
    else texts.push(JSON.stringify(part))
  }
  return withFields(resultEntry('tool', textIn(id), texts.join('\n')), {
    ...(isError === true ? { is_error: true } : {}),
    ...(images.length === 0 ? {} : { images }),
    ...rawFieldsOf(block, resultKeys),
  })
}

const resultKeys: ReadonlySet<string> = new Set(['type', 'tool_use_id', 'content', 'is_error'])

function answer(content: string): TimelessEntry {
  return { from: 'cline', to: 'user', content, entry_type: 'message', role: 'agent' }
}

function thoughts(content: string): TimelessEntry {
  return { from: 'cline', to: 'user', content, entry_type: 'reasoning' }
}

function injected(content: string): TimelessEntry {
  const metadata = { injected: true }
  return { from: 'user', to: 'cline', content, entry_type: 'message', role: 'user', metadata }
}

function callEntry(to: string, id: string | undefined, content: string): TimelessEntry {
  const known = id === undefined ? {} : { tool_call_id: id }
  return { from: 'cline', to, content, entry_type: 'tool_call', ...known }
}

function resultEntry(from: string, id: string | undefined, content: string): TimelessEntry {
  const known = id === undefined ? {} : { tool_call_id: id }
  return { from, to: 'cline', content, entry_type: 'tool_result', ...known }
}

/** As `metadata.images` has it; undefined for one that is not in the block. */
function imageOf(block: JsonObject): { readonly url: string } | undefined {
  const source = isJsonObject(block.source) ? block.source : {}
  const { type, media_type: mime, data, url } = source
  if (type === 'url' && typeof url === 'string') return { url }
  if (typeof data !== 'string' || typeof mime !== 'string' || !/^image\/[\w.+-]+$/.test(mime))
    return undefined
  return { url: `data:${mime};base64,${data}` }
}

function documentOf(block: JsonObject): Fields {
  const { title, name, filename } = block
  return { filename: textIn(title) ?? textIn(filename) ?? textIn(name) ?? 'document' }
}
