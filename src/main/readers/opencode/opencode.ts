import path from 'node:path'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { ConversationKey } from '../../../shared/model/conversation/conversation'
import { type Gap, readingOf } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { readWholeFile } from '../../disk/reading/read'
import { parseRecordPath, recordPath } from '../../records/interface/record-format'
import { openListed } from '../common/found-files'
import { jsonLineFacts, unreadableSource } from '../common/json-lines'
import type { ConversationFact, HistoryReader, SourceFact, SourceRef } from '../common/reader'
import { textAt } from './lines/fields'
import { readSessionBeginning } from './lines/head'
import { sessionLine } from './lines/meaning'
import { listOpencodeSessions } from './list'
import { callNameOf, sessionFormat } from './rows/record-names'
import { sessionRecords } from './rows/session-records'
import { storedRecords } from './rows/stored-records'

/**
 * The reader of OpenCode's sessions, and of Kilo's, which has the same tables: three generations (the tables of version 2 and of
 * version 1, and files before them) as one, by the id of the session.
 *
 * Format: read from OpenCode's source to 2.0.x, from reports, and from databases that follow both. Left out: snapshots and
 * patches of files, the limits of steps, switches of agent and model, todo lists, and sums of a session that repeat those of
 * its messages; the original lines have the rows.
 */
export const opencodeReader: HistoryReader = {
  id: 'opencode',
  databaseFormats: (databases) => [sessionRecords(databases), storedRecords],
  defaultRoots: ['~/.local/share/opencode', '~/.local/share/kilo'],
  list: listOpencodeSessions,
  meaningOf: sessionLine,
  forkRule: 'human-turns',
  read: (ref, disk, signal) => readingOf(ref.key, readSession(ref, disk, signal)),
}

async function* readSession(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceFact | Gap> {
  const { key, root } = ref
  const file = ref.files[0]?.file ?? key
  const whole = path.join(root, file)
  const opened = await openListed(disk, whole)
  try {
    const { title, words, project, createdAt, updatedAt, parent } = await readSessionBeginning(
      opened,
      signal,
    )
    const conversation: ConversationFact = {
      key,
      title: title ?? words ?? key,
      storedTitle: title,
      project,
      createdAt,
      updatedAt,
      parent: parent === undefined ? null : { key: parent, entries: 0 },
      ...(parent === undefined ? {} : { subagentOf: await originOf(key, parent, whole, disk) }),
    }
    yield { type: 'conversation', conversation }
    yield* jsonLineFacts(opened, file, sessionLine, signal)
  } catch (error) {
    throw unreadableSource(whole, error)
  } finally {
    await opened.close()
  }
}

/** The call that began a subagent's session, where the parent's rows name it. */
async function originOf(
  key: string,
  parent: string,
  file: string,
  disk: Disk,
): Promise<NonNullable<ConversationFact['subagentOf']>> {
  const origin = { key: ConversationKey.parse(parent) }
  const place = parseRecordPath(file)
  if (place?.format !== sessionFormat) return origin
  const name = callNameOf(key)
  const bytes = await readWholeFile(disk, recordPath({ ...place, name }))
  const found: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  const call = isJsonObject(found) ? textAt(found, 'call') : undefined
  return call === undefined ? origin : { ...origin, call }
}
