import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { DiskFile, FileStat } from '../../../disk/interface/disk'
import { bytesFile } from '../../../records/interface/bytes-file'
import { type RecordFormat, recordPath } from '../../../records/interface/record-format'
import { LineFile } from '../../../records/lines/line-file'
import type { Databases } from '../../../sqlite/databases'
import { textIn } from '../../common/drafts'
import { onDatabase } from '../../common/rows/database-file'
import { databaseFormat } from '../../common/rows/database-format'
import { type SchemaReader, schemaReader } from '../../common/rows/table-schema'
import { textLine, type ValueLine, valueLine, writeValueLines } from '../../common/rows/value-lines'
import { listName, tabFormat } from '../lines/names'
import { secondsFrom } from '../lines/times'
import { listIn } from './chat-rows'
import { stateTables } from './chat-sql'
import { tabBubbles, tabMembers, tabQueries } from './tab-sql'

/** A line of the list of what a `state.vscdb` of an older version holds besides chats. */
export type ListedTab =
  | {
      readonly type: 'tab'
      /** Undefined for a tab without one. */
      readonly id?: string | undefined
      readonly name: string
      readonly sizeBytes: number
      readonly mtimeMs: number
      readonly identity: string
      readonly row: unknown
    }
  /** A chat of the workspace, which the editor's own database has. */
  | { readonly type: 'chat'; readonly id: string; readonly title?: string | undefined }
  /** The tabs cannot be read, with the reason as the end of a sentence. */
  | { readonly type: 'fault'; readonly fault: string }

interface Tab {
  readonly number: number
  readonly name: string
  readonly row: JsonObject
  readonly lines: readonly ValueLine[]
}

/**
 * Returns the format of tabs in the databases of older versions, all of them in one value: each tab is a file of lines, its
 * title first, then its messages. Another record file lists them, and the chats of the workspace.
 */
export function tabRecords(databases: Databases): RecordFormat {
  const reader = schemaReader(databases, stateTables)

  async function opened(
    container: string,
    found: FileStat,
    name: string,
  ): Promise<DiskFile | undefined> {
    const target = recordPath({ container, format: tabFormat, name })
    const { tabs, others } = await readTabs(reader, container)
    if (name === listName) {
      const listed = tabs.map((tab): ListedTab => {
        const { sizeBytes, mtimeMs, identity } = statOf(found, tab)
        const { row } = tab
        const id = textIn(row.tabId)
        return { type: 'tab', id, name: tab.name, sizeBytes, mtimeMs, identity, row }
      })
      const text = [...listed, ...others].map((line) => `${JSON.stringify(line)}\n`).join('')
      return bytesFile(target, Buffer.from(text), found)
    }
    const tab = tabs.find((one) => one.name === name)
    if (tab === undefined) return undefined
    const { lines, number } = tab
    const write = (wanted: readonly ValueLine[]) =>
      onDatabase(container, () =>
        writeValueLines(wanted, (names) => readValues(reader, container, number, names)),
      )
    return new LineFile(target, statOf(found, tab), { lines, write })
  }

  return databaseFormat({ id: tabFormat, opened })
}

async function readTabs(
  reader: SchemaReader,
  container: string,
): Promise<{ readonly tabs: readonly Tab[]; readonly others: readonly ListedTab[] }> {
  const { answers, fault } = await reader.read(container, tabQueries)
  const tabs = (answers[0]?.rows ?? []).flatMap(([number, members, sizes]) => {
    const values = listIn(members)
    const row = Object.fromEntries(tabMembers.map((name, at) => [name, values[at] ?? undefined]))
    const bubbles = listIn(sizes).map(Number)
    return bubbles.length === 0 ? [] : [tabOf(Number(number), row, bubbles)]
  })
  const chats = listIn(answers[1]?.rows[0]?.[0]).flatMap((chat): readonly ListedTab[] => {
    const [id, title] = Array.isArray(chat) ? chat : []
    return typeof id === 'string' ? [{ type: 'chat', id, title: textIn(title) }] : []
  })
  const isDamaged = (answers[2]?.rows.length ?? 0) > 0
  const faults = [
    ...(isDamaged ? ['holds chats that are no JSON'] : []),
    ...(fault === undefined ? [] : [fault]),
  ]
  const told = faults.map((one): ListedTab => ({ type: 'fault', fault: one }))
  return { tabs: unique(tabs), others: [...chats, ...told] }
}

function tabOf(number: number, row: JsonObject, bubbles: readonly number[]): Tab {
  const lines = [
    textLine(JSON.stringify({ record: 'tab', row })),
    ...bubbles.map((bytes, at) =>
      valueLine('{"record":"tab-bubble","data":', { name: String(at), bytes }, '}'),
    ),
  ]
  const id = textIn(row.tabId)
  return { number, name: id === undefined || id === listName ? `#${number}` : id, row, lines }
}

/** Of two tabs with one id the second goes by its number. */
function unique(tabs: readonly Tab[]): readonly Tab[] {
  const seen = new Set<string>()
  return tabs.map((tab) => {
    const isTaken = seen.has(tab.name)
    seen.add(tab.name)
    if (!isTaken) return tab
    const { tabId: _taken, ...row } = tab.row
    return { ...tab, name: `#${tab.number}`, row }
  })
}

async function readValues(
  reader: SchemaReader,
  container: string,
  tab: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array | null>> {
  const { answers } = await reader.read(container, () => [tabBubbles(tab, names.map(Number))])
  return new Map(
    (answers[0]?.rows ?? []).map(([number, value]) => [
      String(number),
      value instanceof Uint8Array ? value : null,
    ]),
  )
}

function statOf(found: FileStat, { name, row, lines }: Tab): FileStat {
  const stamp = createHash('sha256')
    .update(JSON.stringify([name, row, lines]))
    .digest('hex')
    .slice(0, 16)
  const sent = secondsFrom(row.lastSendTime)
  return {
    kind: 'file',
    sizeBytes: lines.reduce((sum, { bytes }) => sum + bytes, 0),
    mtimeMs: sent === undefined ? found.mtimeMs : Math.round(sent * 1000),
    identity: `${found.identity}:${stamp}`,
  }
}
