import path from 'node:path'
import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { SkeinExportHead } from '../../../shared/model/skein-export'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { textIn, timeIn, trimmedIn } from '../common/drafts'
import { inListedFile } from '../common/found-files'
import { inOwnFile } from '../common/one-file'
import { perFileCache } from '../common/per-file-cache'
import type { HistoryReader, SourceRef } from '../common/reader'
import type { LaidFile, Layout } from '../common/sessions/layout'
import type { SessionRecordFields } from '../common/sessions/line-ends'
import { lineSessionReader } from '../common/sessions/line-sessions'
import { readExportEnd, readExportHead } from './export-head'
import { exportNotices, followExport } from './exported-from'
import { skeinFormat } from './known'
import { skeinLine } from './line'

const layouts: readonly Layout[] = [[/^[^.].*\.jsonl$/is]]
/** Names of exports as they are imported: such a file is one whatever its first line is. */
const importedName = /\.skein\.jsonl$/i

const heads = perFileCache<{
  readonly stat: FileStat
  readonly head: SkeinExportHead | undefined
}>()

/** The reader of files of lines; which of them are exports, and their rules, `list` below finds out. */
const lines = lineSessionReader({
  id: 'skein',
  defaultRoots: [],
  isImported: true,
  layouts,
  keyOf: skeinKeyOf,
  meaningOf: skeinLine,
  fieldsOf,
  titleNames: ['skeinExport'],
  known: skeinFormat,
  restatesNumbers: true,
  forkRule: 'every-child',
  follower: followExport,
})

/**
 * The reader of conversations that Skein exported as JSONL: a line about the conversation, a line for each entry, and one about what is
 * not among them.
 *
 * Format: docs/sources/skein.md. Nothing is left out; damaged lines of the conversation were none of the export.
 */
export const skeinReader: HistoryReader = {
  ...lines,
  noticesOf: (ref, disk, signal) =>
    inOwnFile(ref, disk, async (opened) =>
      exportNotices(await readExportHead(opened, signal), await readExportEnd(opened, signal)),
    ),
  async *list(root, disk, signal, elsewhere) {
    for await (const ref of lines.list(root, disk, signal, elsewhere)) {
      const head = await headOf(ref, disk, signal)
      const isNamed = importedName.test(ref.files[0]?.file ?? '')
      if (head === undefined && !isNamed) continue
      const rule = head?.forkRule
      yield rule === undefined
        ? { ...ref, ...(head === undefined ? {} : { isLinear: true as const }) }
        : { ...ref, forkRule: rule }
    }
  },
}

/** What cannot be read now is said by whoever reads the conversation. */
async function headOf(
  { root, files: [file] }: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<SkeinExportHead | undefined> {
  if (file === undefined) return undefined
  const whole = path.join(root, file.file)
  const stat = await disk.stat(whole).catch(() => undefined)
  if (stat?.kind !== 'file') return undefined
  try {
    const { head } = await heads.get(disk, whole, stat, async () => ({
      stat,
      head: await inListedFile(disk, whole, (opened) => readExportHead(opened, signal)),
    }))
    return head
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function skeinKeyOf({ found: { name } }: LaidFile): string {
  return name.replace(importedName, '').replace(/\.jsonl$/i, '')
}

function fieldsOf(record: JsonObject): SessionRecordFields {
  if ('skeinExportEnd' in record) return {}
  if (!('skeinExport' in record))
    return typeof record.timestamp === 'number' ? { time: record.timestamp } : {}
  return {
    title: trimmedIn(record.title),
    project: textIn(record.project),
    time: timeIn(record.created),
  }
}
