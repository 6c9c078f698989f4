import fs from 'node:fs'
import path from 'node:path'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { exporterOf } from '../../../src/main/exporters/index'
import { countLosses } from '../../../src/main/exporters/losses'
import type { Exportable } from '../../../src/main/exporters/parts/exporter'
import { toExportable } from '../../../src/main/exporters/parts/exporter'
import type { HistoryReader } from '../../../src/main/readers/common/reader'
import { type ReadConversation, readRoot } from '../../../src/main/readers/read-root'
import type { Entry } from '../../../src/shared/model/conversation/entry'
import { type ExportFormat, leftOutKinds } from '../../../src/shared/model/export'
import { type ReadShape, written } from '../../support/exported'

const signal = new AbortController().signal

/** What a system's reader makes of files. */
export async function readFiles(
  reader: HistoryReader,
  root: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly ReadConversation[]> {
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), text)
  }
  return (await readRoot(reader, root, nodeDisk, signal)).conversations
}

/** A conversation in a format. */
export function textIn(format: ExportFormat, conversation: ReadShape): Promise<string> {
  return written(exporterOf(format), toExportable(conversation, []))
}

/** What is told of losses: the counts of entries that are written and left out, and all sentences. */
export async function lossesIn(
  format: ExportFormat,
  conversation: Exportable,
  branches: 'active' | 'all' = 'active',
) {
  const { entries, written, losses } = await countLosses(
    exporterOf(format),
    conversation,
    { branches },
    signal,
  )
  const leftOut = losses
    .filter(({ kind }) => leftOutKinds.has(kind))
    .reduce((sum, { count }) => sum + count, 0)
  return { entries, written, leftOut, sentences: losses.map(({ sentence }) => sentence) }
}

/** What was said and by what, without where it stands. */
export function plain({ file: _f, line: _l, offset: _o, length: _n, parent: _p, ...entry }: Entry) {
  return entry
}

/** The same without the id, which a line alone may give. */
export function nameless(entry: Entry) {
  const { id: _, ...said } = plain(entry)
  return said
}

/** Whether keys stand in this order, as far as they are there, and no others. */
export function isInOrder(value: object, order: readonly string[]): boolean {
  const places = Object.keys(value).map((key) => order.indexOf(key))
  return places.every((place, at) => place > (places[at - 1] ?? -1))
}

/** UTF-8 has no halves of characters: what is written in their place. */
export function whole(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
