import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { pushAll } from '../../../shared/model/basics/long-lists'
import { attachmentFields } from '../common/content/attached'
import { partsOf } from '../common/content/google-parts'
import { type TimelessEntry, textIn, unknownEntry, withFields } from '../common/drafts'
import { fileKinds, inlineKinds } from './known'
import { entryOfWork, isWork } from './work'

/** Words or thoughts, with the pictures and files among them. */
interface Run {
  readonly isThought: boolean
  text: string
  readonly inline: unknown[]
  readonly named: unknown[]
}

/**
 * Converts a chunk to entries, in the order of its parts: thoughts, words with their pictures and files, code that the model ran,
 * functions, and their results; at least one. The `parts` of a chunk repeat its `text`, or have more.
 */
export function chunkEntries(chunk: JsonObject, isModel: boolean): readonly TimelessEntry[] {
  const isThought = chunk.isThought === true
  const found: (Run | TimelessEntry)[] = []
  const run = (isOfThought: boolean) => {
    const last = found.at(-1)
    if (last !== undefined && 'isThought' in last && last.isThought === isOfThought) return last
    const made: Run = { isThought: isOfThought, text: '', inline: [], named: [] }
    found.push(made)
    return made
  }
  const own = partsIn(chunk)
  const text = textIn(chunk.text)
  const all = own.map((part) => textOf(part) ?? '').join('')
  const said = own.map((part) => (isThoughtPart(part) ? '' : (textOf(part) ?? ''))).join('')
  // Where the parts have words of their own, both are kept.
  const isRepeated = [all, said].some((one) => one.trim() === text?.trim())
  const isInText = text !== undefined && !isRepeated && text.includes(said)
  if (text !== undefined && !isRepeated) run(isThought).text = isInText ? text : `${text}\n\n`
  for (const part of own) {
    const words = textOf(part)
    const isOfThought = isThought || isThoughtPart(part)
    if (words !== undefined && !(isInText && !isThoughtPart(part))) run(isOfThought).text += words
    if (!isJsonObject(part)) {
      if (words === undefined) found.push(unknownPart(part))
      continue
    }
    const { text: textual, thought: _, thoughtSignature: _signature, ...more } = part
    const others = Object.entries({ ...more, ...(words === undefined ? { text: textual } : {}) })
    for (const [kind, value] of others) {
      if (value === undefined || value === null) continue
      if (isWork(kind, value)) found.push(entryOfWork(kind, value))
      else if (kind === 'inlineData') pushAll(run(isOfThought).inline, [value].flat())
      else if (kind === 'fileData') run(isOfThought).named.push(namedFile(kind, value))
      else found.push(unknownPart({ [kind]: value }))
    }
  }
  const inside = new Set(found.flatMap((one) => ('isThought' in one ? one.inline : [])).map(markOf))
  const files = {
    inline: inlineIn(chunk).filter((one) => !inside.has(markOf(one))),
    named: namedIn(chunk),
  }
  if (files.inline.length + files.named.length > 0) {
    const first = found.find((one) => 'isThought' in one)
    const bearer = first !== undefined && 'isThought' in first ? first : run(isThought)
    pushAll(bearer.inline, [...files.inline, ...bearer.inline.splice(0)])
    pushAll(bearer.named, files.named)
  }
  const told = new Set(found.map(markOf))
  const works = workIn(chunk).filter((one) => !told.has(markOf(one)))
  const entries = [...found, ...works].flatMap((one) =>
    'isThought' in one ? entryOfRun(one, isModel) : one,
  )
  if (entries.length > 0) return entries
  return [isThought ? thoughtOf('') : words('', isModel)]
}

/** Returns the texts of what a person told the model of all its answers, and its other parts as metadata. */
export function instructionIn(told: unknown) {
  const parts = isJsonObject(told) && Array.isArray(told.parts) ? told.parts : told
  const { text, images, others } = partsOf(parts)
  const isEmpty = (one: unknown) => isJsonObject(one) && Object.keys(one).length === 0
  const kept = others.filter((one) => !isEmpty(one))
  return { content: text, metadata: attachmentFields({ images, others: kept }) }
}

function markOf(part: unknown): string {
  return JSON.stringify(part)
}

function partsIn({ parts }: JsonObject): readonly unknown[] {
  if (parts === undefined || parts === null) return []
  return Array.isArray(parts) ? parts.filter((part) => part !== null) : [parts]
}

function textOf(part: unknown): string | undefined {
  const text = isJsonObject(part) ? part.text : part
  return typeof text === 'string' ? text : undefined
}

function isThoughtPart(part: unknown): boolean {
  return isJsonObject(part) && part.thought === true
}

function entryOfRun(
  { isThought, text, inline, named }: Run,
  isModel: boolean,
): readonly TimelessEntry[] {
  const { images, others } = partsOf(inline.map((one) => ({ inlineData: one })))
  const files = attachmentFields({ images, others: [...others, ...named] })
  if (text === '' && Object.keys(files).length === 0) return []
  return [withFields(isThought ? thoughtOf(text) : words(text, isModel), files)]
}

function words(content: string, isModel: boolean): TimelessEntry {
  return isModel
    ? { from: 'ai-studio', to: 'user', content, entry_type: 'message', role: 'agent' }
    : { from: 'user', to: 'ai-studio', content, entry_type: 'message', role: 'user' }
}

function thoughtOf(content: string): TimelessEntry {
  return { from: 'ai-studio', to: 'user', content, entry_type: 'reasoning' }
}

function unknownPart(part: unknown): TimelessEntry {
  const [kind = 'part'] = isJsonObject(part) ? Object.keys(part) : []
  return unknownEntry('ai-studio', kind, JSON.stringify(part))
}

function inlineIn(chunk: JsonObject): readonly unknown[] {
  return inlineKinds.flatMap((kind) => chunk[kind] ?? [])
}

function namedIn(chunk: JsonObject): readonly unknown[] {
  return fileKinds.flatMap((kind) => {
    const file = chunk[kind]
    return file === undefined || file === null ? [] : [namedFile(kind, file)]
  })
}

function namedFile(type: string, file: unknown) {
  return isJsonObject(file) ? { type, ...file } : { type, id: file }
}

function workIn(chunk: JsonObject): readonly TimelessEntry[] {
  return Object.entries(chunk).flatMap(([kind, value]) =>
    isWork(kind, value) ? [entryOfWork(kind, value)] : [],
  )
}
