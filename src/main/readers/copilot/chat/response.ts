import path from 'node:path'
import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'
import { pushAll } from '../../../../shared/model/basics/long-lists'
import {
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../../common/drafts'
import { memberList, memberObject, pathIn, plainWords, shownWords } from './fields'
import type { ToolRound } from './rounds'
import { systemEntry } from './system-entry'
import { invocationEntries, roundEntries } from './tools'

/** Parts that show progress or buttons, or belong to the program's own books. */
export const silentChatParts: ReadonlySet<string> = new Set([
  'undoStop',
  'codeblockUri',
  'progressMessage',
  'progressTask',
  'progressTaskSerialized',
  'prepareToolInvocation',
  'clearToPreviousToolInvocation',
  'mcpServersStarting',
  'disabledClaudeHooks',
  'autoModeResolution',
  'command',
  'references',
])

/**
 * Converts the parts of an answer to entries, in their order. Words and the files that they name are one message, up to the
 * next part of another kind.
 */
export function responseEntries(
  parts: readonly unknown[],
  rounds: ReadonlyMap<string, ToolRound>,
): readonly TimelessEntry[] {
  const entries: TimelessEntry[] = []
  const used = new Set<string>()
  let words = ''
  const endWords = (next?: TimelessEntry) => {
    const content = withoutFences(words, isEdit(entries.at(-1)), isEdit(next))
    if (content.trim() !== '') entries.push(answer(content))
    words = ''
  }
  for (const part of parts) {
    const said = wordsIn(part)
    if (said !== undefined) {
      words += said
      continue
    }
    const made = partEntries(part, rounds, used)
    if (made.length > 0) endWords(made[0])
    pushAll(entries, made)
  }
  endWords()
  // Ids of older versions are others in both places: then each call is there once already.
  const isKnown = used.size > 0 || !entries.some(({ entry_type }) => entry_type === 'tool_call')
  const unshown = isKnown ? [...rounds.values()].filter(({ id }) => !used.has(id)) : []
  return [...entries, ...unshown.flatMap(roundEntries)]
}

const editTool = 'edit'

function isEdit(entry: TimelessEntry | undefined): boolean {
  return (
    entry?.entry_type === 'tool_call' && entry.to === editTool && entry.tool_call_id === undefined
  )
}

/** An edit of a file stands in a code fence, of which nothing else is in the answer. */
function withoutFences(words: string, isAfterEdit: boolean, isBeforeEdit: boolean): string {
  const rest = isAfterEdit ? words.replace(/^\s*`{3,}[ \t]*(?:\n|$)/, '') : words
  return isBeforeEdit ? rest.replace(/(?:^|\n)[ \t]*`{3,}[\w-]*\s*$/, '') : rest
}

/** Undefined for a part that is no words. */
function wordsIn(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  if (!isJsonObject(part)) return undefined
  switch (part.kind) {
    case undefined:
      return typeof part.value === 'string' ? part.value : undefined
    case 'markdownContent':
    case 'markdownVuln':
      return plainWords(part.content ?? part)
    case 'inlineReference': {
      const { inlineReference: place, name } = part
      const file = pathIn(place)
      const own = isJsonObject(place) ? textIn(place.name) : undefined
      return textIn(name) ?? own ?? (file === undefined ? undefined : path.posix.basename(file))
    }
    default:
      return undefined
  }
}

function answer(content: string): TimelessEntry {
  return { from: 'copilot', to: 'user', content, entry_type: 'message', role: 'agent' }
}

function partEntries(
  part: unknown,
  rounds: ReadonlyMap<string, ToolRound>,
  used: Set<string>,
): readonly TimelessEntry[] {
  if (!isJsonObject(part))
    return [unknownEntry('copilot', 'response', JSON.stringify(part ?? null))]
  const kind = typeof part.kind === 'string' ? part.kind : ''
  if (silentChatParts.has(kind)) return []
  switch (kind) {
    case 'thinking': {
      const content = plainWords(part.value)
      if (content.trim() === '') return []
      return [{ from: 'copilot', to: 'user', content, entry_type: 'reasoning' }]
    }
    case 'toolInvocation':
    case 'toolInvocationSerialized':
      return invocationEntries(part, rounds, used)
    case 'textEditGroup':
    case 'notebookEditGroup':
      return editEntries(part)
    case 'warning':
    case 'info':
    case 'error':
      return notice(kind, part, shownWords(part.content))
    case 'confirmation':
    case 'elicitation':
    case 'elicitationSerialized':
      return notice(kind, part, shownWords(part.title, part.message))
    case 'questionCarousel':
      return notice(
        kind,
        part,
        shownWords(part.message, ...memberList(part, 'questions').map(question)),
      )
    case 'hook':
      return notice(kind, part, shownWords(part.systemMessage, part.stopReason))
    default:
      return [unknownEntry('copilot', kind, JSON.stringify(part))]
  }
}

function question(one: unknown): unknown {
  return isJsonObject(one) ? (one.message ?? one.title) : undefined
}

const noticeKeys: ReadonlySet<string> = new Set(['kind', 'content', 'title', 'message', 'source'])

/** Without words it is shown as it is. */
function notice(kind: string, part: JsonObject, words: string): readonly TimelessEntry[] {
  if (words === '') return [unknownEntry('copilot', kind, JSON.stringify(part))]
  return [withFields(systemEntry(kind, words), rawFieldsOf(part, noticeKeys))]
}

/** An edit of a file, as the answer made it; one that changes nothing only marks the end of others. */
function editEntries(part: JsonObject): readonly TimelessEntry[] {
  const edits = memberList(part, 'edits').flat()
  if (edits.length === 0) return []
  const file = pathIn(part.uri) ?? pathIn(memberObject(part, 'uri'))
  const content = JSON.stringify({ file, edits })
  return [{ from: 'copilot', to: editTool, content, entry_type: 'tool_call' }]
}
