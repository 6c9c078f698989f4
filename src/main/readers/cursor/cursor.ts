import { firstWords } from '../../../shared/model/basics/first-words'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import { type Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { readExactly, readLines } from '../../disk/reading/lines'
import { readWholeFile } from '../../disk/reading/read'
import { parseRecordPath, recordPath } from '../../records/interface/record-format'
import { documentFacts } from '../common/document-facts'
import { callerFacts } from '../common/drafts'
import { editorFolder } from '../common/editor-folders'
import { jsonLineFacts } from '../common/json-lines'
import { factsOfFile, fileOf, pathOf } from '../common/one-file'
import { withModel } from '../common/read-record-file'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { valuesOn } from '../common/record-values'
import { anyName } from '../common/sessions/layout'
import { withToolNames } from '../common/tool-names'
import type { NamelessEntry } from '../common/value-meaning'
import { readCursorImage } from './images'
import { type ChatHead, noHead } from './lines/head'
import { cursorTable } from './lines/known'
import { cursorLine } from './lines/meaning'
import { cursorFormat, parseChatName, subagentCallName } from './lines/names'
import { textTranscript } from './lines/text-transcript'
import { listCursorChats } from './list'
import { isRicherChat } from './richer'
import { cursorRecords } from './state/chat-records'
import { tabRecords } from './state/tab-records'
import { storeRecords } from './store/store-records'
import { parentOfTranscript } from './transcripts'

/**
 * The reader of Cursor's chats: those of its editor and of its command line, from three stores (the editor's databases, a
 * database for each chat, transcripts) as one, by the id of the chat.
 *
 * Format: no specification and no source; observed by several other readers up to editor 3.13 and command line 2026.09, and
 * in databases that follow both. Left out: the state of windows, copies of files, checkpoints, keys, and what a request was given
 * besides; docs/sources/cursor.md.
 */
export const cursorReader: HistoryReader = {
  id: 'cursor',
  databaseFormats: (databases) => [
    cursorRecords(databases),
    tabRecords(databases),
    storeRecords(databases),
  ],
  defaultRoots: ['~/.cursor', editorFolder('Cursor')],
  footprint: {
    database: [
      ['globalStorage', 'state.vscdb'],
      ['chats', anyName, anyName, 'store.db'],
    ],
    conversation: [
      ['projects', anyName, 'agent-transcripts', anyName, /^[^.].*\.jsonl$/],
      ['projects', anyName, 'agent-transcripts', /^[^.].*\.txt$/],
    ],
    beside: [
      ['globalStorage', 'state.vscdb-wal'],
      ['chats', anyName, anyName, 'store.db-wal'],
    ],
  },
  rootVariable: 'CURSOR_CONFIG_DIR',
  watchedFolders: ['chats', 'projects', 'globalStorage', 'workspaceStorage'],
  list: listCursorChats,
  isRicher: isRicherChat,
  known: cursorTable,
  meaningOf: cursorLine,
  restatesNumbers: true,
  documentOf: textTranscript,
  forkRule: 'every-child',
  readAsset: readCursorImage,
  read: (ref, disk, signal) => readingOf(ref.key, readChat(ref, disk, signal)),
}

async function* readChat(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const { file, isDocument } = fileOf(ref)
  yield* factsOfFile(disk, pathOf(ref), async function* (opened) {
    const { head, words } = isDocument
      ? await beginningOfText(opened)
      : await beginningOf(opened, signal)
    const title = head.title ?? ref.storedTitle
    const parent = parentOf(ref, head)
    const conversation: ConversationFact = {
      key: ref.key,
      title: title ?? words ?? ref.key,
      storedTitle: title,
      project: head.project ?? ref.glance?.project ?? null,
      createdAt: head.createdAt,
      updatedAt: head.updatedAt,
      ...callerFacts(
        parent,
        parent === undefined ? undefined : (head.call ?? (await callOf(ref, parent, disk))),
      ),
    }
    yield { type: 'conversation', conversation }
    if (isDocument) yield* documentFacts(opened, file, textTranscript)
    else
      yield* jsonLineFacts(
        opened,
        file,
        withToolNames(withModel(cursorLine, head.model), 'tool'),
        signal,
      )
  })
}

/** The chat that called this one, as the list found out, by the place of a transcript, or as the chat tells. */
function parentOf(ref: SourceRef, head: ChatHead): string | undefined {
  const { file } = fileOf(ref)
  const name = parseRecordPath(file)?.name
  const named = name === undefined ? undefined : parseChatName(name)?.parent
  const parent = named ?? head.parent ?? parentOfTranscript(file)
  return parent === ref.key ? undefined : parent
}

/** The call in the other chat that names this one. */
async function callOf(ref: SourceRef, parent: string, disk: Disk): Promise<string | undefined> {
  const place = parseRecordPath(pathOf(ref))
  if (place?.format !== cursorFormat) return undefined
  const name = subagentCallName(parent, ref.key)
  const bytes = await readWholeFile(disk, recordPath({ ...place, name }))
  const found: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  return isJsonObject(found) && typeof found.call === 'string' ? found.call : undefined
}

interface Beginning {
  readonly head: ChatHead
  /** The first words of a person. */
  readonly words: string | undefined
}

const beginningBytes = 16 * 1024
/** By then a person has spoken. */
const beginningLines = 1000

/** A chat begins with its own record: with a title there, nothing more is read. */
async function beginningOf(file: DiskFile, signal: AbortSignal): Promise<Beginning> {
  let head = noHead
  let seen = 0
  for await (const lines of readLines(file, { chunkBytes: beginningBytes, signal }))
    for (const raw of lines) {
      for (const line of await valuesOn(raw, cursorLine)) {
        if (line.head !== undefined) head = line.head
        const words = line.type === 'entries' ? wordsIn(line.entries) : undefined
        if (words !== undefined) return { head, words }
      }
      seen += 1
      if (head.title !== undefined || seen === beginningLines) return { head, words: undefined }
    }
  return { head, words: undefined }
}

async function beginningOfText(file: DiskFile): Promise<Beginning> {
  const text = new TextDecoder().decode(await readExactly(file, 0, beginningBytes))
  return { head: noHead, words: wordsIn(textTranscript(text)) }
}

function wordsIn(entries: readonly NamelessEntry[]): string | undefined {
  const said = entries.find(isWrittenByPerson)
  return said === undefined ? undefined : firstWords(said.content) || undefined
}
