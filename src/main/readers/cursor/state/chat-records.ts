import type { DiskFile, FileStat } from '../../../disk/interface/disk'
import { bytesFile } from '../../../records/interface/bytes-file'
import { type RecordFormat, recordPath } from '../../../records/interface/record-format'
import { LineFile } from '../../../records/lines/line-file'
import type { Databases } from '../../../sqlite/databases'
import type { SqlValue } from '../../../sqlite/engine'
import { onDatabase } from '../../common/rows/database-file'
import { databaseFormat } from '../../common/rows/database-format'
import { type ReadValues, type ValueLine, writeValueLines } from '../../common/rows/value-lines'
import {
  cursorChatName,
  cursorFormat,
  listName,
  parseCallName,
  parseChatName,
} from '../lines/names'
import type { ChatLayout } from './chat-layout'
import { chatLister, type LaidChat, layOutChats } from './chat-list'
import { type ChatReader, chatRowReader } from './chat-reader'
import { keyOfChat } from './chat-rows'
import { callQuery, inlineQuery, valueQuery } from './chat-sql'
import { withoutKeys } from './keys'
import { linkSubagents } from './subagents'

/** A line of the list of chats. */
export type ListedChatLine = ListedRecord | UnreadRecord | DamagedDatabase

interface ListedRecord {
  readonly id: string
  /** The name of its record file. */
  readonly name: string
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly identity: string
  readonly words?: string | undefined
  /** As on the first line of its record file. */
  readonly row: unknown
}

/** A line for a chat that cannot be read, with the reason as the end of a sentence. */
interface UnreadRecord {
  readonly id: string
  readonly fault: string
}

/** A line for a database that is not whole, with the reason as the end of a sentence. */
interface DamagedDatabase {
  readonly damage: string
}

/**
 * Returns the format of the editor's databases: each chat is a file of lines, its own record first, then its messages in
 * the chat's order. Other record files list the chats, and name the call that began one (`names`).
 */
export function cursorRecords(databases: Databases): RecordFormat {
  const reader = chatRowReader(databases)
  const list = chatLister(reader)

  async function listFile(target: string, container: string, found: FileStat): Promise<DiskFile> {
    const { chats, unread, fault: damage } = await list(container)
    const shown = linkSubagents(chats.filter(({ isEmpty }) => !isEmpty))
    const listed = shown.map((chat): ListedRecord => {
      const { sizeBytes, mtimeMs, identity } = statOf(found, chat)
      const { id, words, row } = chat
      return { id, name: cursorChatName(chat), sizeBytes, mtimeMs, identity, words, row }
    })
    const faults = [...unread].map(([id, fault]): UnreadRecord => ({ id, fault }))
    const damaged: readonly DamagedDatabase[] = damage === undefined ? [] : [{ damage }]
    const text = [...listed, ...faults, ...damaged]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
    return bytesFile(target, Buffer.from(text), found)
  }

  async function opened(container: string, found: FileStat, name: string) {
    const target = recordPath({ container, format: cursorFormat, name })
    if (name === listName) return listFile(target, container, found)
    const call = parseCallName(name)
    if (call !== undefined) {
      const { answers } = await reader.read(container, [call.parent], (schema, rows) => [
        callQuery(schema, call.parent, call.child, rows),
      ])
      const id = answers[0]?.rows[0]?.[0]
      return bytesFile(target, Buffer.from(`${JSON.stringify({ call: id })}\n`), found)
    }
    const chat = await chatNamed(reader, container, name)
    if (chat === undefined) return undefined
    const { id, lines, mayLack } = chat
    const write = (wanted: readonly ValueLine[]) =>
      onDatabase(container, () => writeValueLines(wanted, valuesOf(reader, container, id)))
    return new LineFile(target, statOf(found, chat), {
      lines,
      write,
      fault: mayLack ? loss : undefined,
    })
  }

  return databaseFormat({
    id: cursorFormat,
    opened,
    statOf(container, found, name) {
      if (parseChatName(name) === undefined) return undefined
      return chatNamed(reader, container, name).then((chat) => chat && statOf(found, chat))
    },
  })
}

const loss = 'pages of the database are damaged, and may have had rows of this chat'

async function chatNamed(
  reader: ChatReader,
  container: string,
  name: string,
): Promise<LaidChat | undefined> {
  const named = parseChatName(name)
  if (named === undefined) return undefined
  const [chat] = await layOutChats(reader, container, [named.id])
  return chat === undefined || chat.lines.length === 0 ? undefined : chat
}

/** Reads values by their keys; those inside of the chat's record are named by their numbers. */
function valuesOf(reader: ChatReader, container: string, chat: string): ReadValues {
  return async (names) => {
    const numbers = names.flatMap((name) => (name.startsWith('#') ? [Number(name.slice(1))] : []))
    const keys = names.filter((name) => !name.startsWith('#'))
    const { answers } = await reader.read(container, [chat], (_, rows) => [
      valueQuery(keys, rows),
      inlineQuery(chat, numbers, rows),
    ])
    const own = keyOfChat(chat)
    return new Map<string, Uint8Array | null>([
      ...(answers[0]?.rows ?? []).map(([key, value]): [string, Uint8Array | null] => {
        const bytes = bytesIn(value)
        return [String(key), key === own && bytes !== null ? withoutKeys(bytes) : bytes]
      }),
      ...(answers[1]?.rows ?? []).map(([number, value]): [string, Uint8Array | null] => [
        `#${number}`,
        bytesIn(value),
      ]),
    ])
  }
}

function bytesIn(value: SqlValue | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null
}

/** A chat that tells no time has that of its database. */
function statOf(
  found: FileStat,
  { sizeBytes, changedMs, stamp }: Pick<ChatLayout, 'sizeBytes' | 'changedMs' | 'stamp'>,
): FileStat {
  const mtimeMs = changedMs ?? found.mtimeMs
  return { kind: 'file', sizeBytes, mtimeMs, identity: `${found.identity}:${stamp}` }
}
