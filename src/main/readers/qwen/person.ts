import { isJsonObject } from '../../../shared/model/basics/json-object'
import { attachmentFields } from '../common/content/attached'
import { partsOf } from '../common/content/google-parts'
import { type Fields, type TimelessEntry, textIn, withFields } from '../common/drafts'

/** Kinds of records of the type `user` that no person wrote. */
const injectedTypes: ReadonlySet<unknown> = new Set(['notification', 'cron', 'goal_runtime'])
/** Contents of files, which Qwen Code adds to a person's words as parts of their own. */
const filesBegin = '--- Content from referenced files ---'
const filesEnd = '--- End of content ---'
/** Tags around a part that the program or a hook adds to a person's words. */
const wrappers: readonly (readonly [tag: string, rawType: string])[] = [
  ['qwen:user-prompt-submit-context', 'hook_context'],
  ['system-reminder', 'system-reminder'],
]

/**
 * Converts a record of the type `user`: a person's words with their pictures, then what the program told the model with
 * them. At least one entry.
 */
export function qwenPrompt(record: Fields, parts: unknown): readonly TimelessEntry[] {
  const injectedAs = injectionOf(record)
  if (injectedAs !== undefined) {
    const { text, ...others } = partsOf(parts)
    const content = text === '' ? (displayTextOf(record) ?? '') : text
    return [withFields(said(content, injectedAs), attachmentFields(others))]
  }
  const { own, added } = splitParts(parts)
  const { text, ...others } = partsOf(own)
  const shown = shownText(record, added)
  const expanded = shown === undefined || shown === text || text === '' ? [] : [text]
  const words = shown ?? text
  const injected = [
    ...expanded.map((one) => said(one, 'expanded_prompt')),
    ...added.map(([one, rawType]) => said(one, rawType)),
  ]
  const isEmpty = words === '' && Object.keys(attachmentFields(others)).length === 0
  if (isEmpty && injected.length > 0) return injected
  return [withFields(said(words, undefined), attachmentFields(others)), ...injected]
}

function said(content: string, injectedAs: string | undefined): TimelessEntry {
  const from = injectedAs === undefined ? 'user' : injectedAs === 'sidechain' ? 'qwen' : 'qwen-code'
  const entry = { from, to: 'qwen', content, entry_type: 'message', role: 'user' } as const
  return injectedAs === undefined
    ? entry
    : withFields(entry, { injected: true, raw_type: injectedAs })
}

/** Why a record is no person's: it is the program's, or said by the model that called a subagent. */
function injectionOf({ subtype, isSidechain, externalInputKind }: Fields): string | undefined {
  if (injectedTypes.has(subtype)) return String(subtype)
  if (typeof externalInputKind === 'string') return externalInputKind
  return isSidechain === true ? 'sidechain' : undefined
}

function displayTextOf({ systemPayload }: Fields): string | undefined {
  return isJsonObject(systemPayload) ? textIn(systemPayload.displayText) : undefined
}

/** What a person typed, where the record tells it apart from what the model was sent. */
function shownText(
  record: Fields,
  added: readonly (readonly [text: string, rawType: string])[],
): string | undefined {
  const { subtype, systemPayload } = record
  const isTold =
    subtype === 'mid_turn_user_message' ||
    (isJsonObject(systemPayload) && typeof systemPayload.hookContext === 'string') ||
    added.some(([, rawType]) => rawType === 'hook_context')
  return isTold ? displayTextOf(record) : undefined
}

/** Only whole parts are the program's: the same words inside of a person's are theirs. Pictures are a person's. */
function splitParts(parts: unknown): {
  readonly own: readonly unknown[]
  readonly added: readonly (readonly [text: string, rawType: string])[]
} {
  const own: unknown[] = []
  const added: [text: string, rawType: string][] = []
  let files: string[] | undefined
  for (const part of Array.isArray(parts) ? parts : [parts]) {
    const text = isJsonObject(part) && typeof part.text === 'string' ? part.text : part
    if (typeof text !== 'string') {
      own.push(part)
      continue
    }
    const trimmed = text.trim()
    const wrapper = wrappers.find(([tag]) => isWrapped(trimmed, tag))?.[1]
    if (files === undefined && own.length > 0 && trimmed.startsWith(filesBegin)) files = []
    if (files !== undefined) files.push(text)
    else if (wrapper !== undefined) added.push([text, wrapper])
    else own.push(part)
    if (files !== undefined && trimmed.endsWith(filesEnd)) {
      added.push([files.join('\n'), 'referenced_files'])
      files = undefined
    }
  }
  if (files !== undefined) added.push([files.join('\n'), 'referenced_files'])
  return { own, added }
}

function isWrapped(text: string, tag: string): boolean {
  return text.startsWith(`<${tag}>`) && text.endsWith(`</${tag}>`)
}
