import { isJsonObject } from '../../../shared/model/basics/json-object'
import { readingOf } from '../../../shared/model/conversation/reading'
import { type Disk, DiskError, type DiskFile } from '../../disk/interface/disk'
import { readWholeFile } from '../../disk/reading/read'
import { parseRecordPath, recordPath } from '../../records/interface/record-format'
import { callerFacts } from '../common/drafts'
import { glanceAt, glanceOf } from '../common/glance'
import { lineFileFacts, pathOf } from '../common/one-file'
import type { ConversationFact, Glance, HistoryReader, SourceRef } from '../common/reader'
import { anyName } from '../common/sessions/layout'
import { textAt } from './lines/fields'
import { readSessionBeginning } from './lines/head'
import { opencodeFormat } from './lines/known'
import { sessionLine } from './lines/meaning'
import { listOpencodeSessions } from './list'
import { beginningNameOf, callNameOf, sessionFormat } from './rows/record-names'
import { sessionRecords } from './rows/session-records'
import { storedRecords } from './rows/stored-records'
import { opencodeOutputs } from './saved-output'

const reader: HistoryReader = {
  id: 'opencode',
  databaseFormats: (databases) => [sessionRecords(databases), storedRecords],
  defaultRoots: ['~/.local/share/opencode', '~/.local/share/kilo'],
  footprint: {
    database: [[/^(?:opencode|kilo)(?:-[\w.+-]+)?\.db$/]],
    conversation: [
      ['storage', 'session', anyName, /^[^.].*\.json$/],
      ['project', anyName, 'storage', 'session', 'info', /^[^.].*\.json$/],
    ],
    beside: [[/^(?:opencode|kilo)(?:-[\w.+-]+)?\.db-wal$/]],
  },
  list: listOpencodeSessions,
  meaningOf: sessionLine,
  restatesNumbers: true,
  known: opencodeFormat,
  forkRule: 'human-turns',
  savedOutputs: opencodeOutputs,
  read(ref, disk, signal) {
    const begin = (opened: DiskFile) => readConversation(ref, opened, disk, signal)
    return readingOf(ref.key, lineFileFacts(ref, disk, signal, sessionLine, begin))
  },
}

/**
 * The reader of OpenCode's sessions, and of Kilo's, which has the same tables: three generations (the tables of version 2 and of
 * version 1, and files before them) as one, by the id of the session.
 *
 * Format: read from OpenCode's source to 2.0.x, from reports, and from databases that follow both. Left out: snapshots and
 * patches of files, the limits of steps, switches of agent and model, todo lists, and sums of a session that repeat those of
 * its messages; the original lines have the rows.
 */
export const opencodeReader: HistoryReader = {
  ...reader,
  glance: async (ref, disk, signal) =>
    (await beginningGlance(ref, disk, signal)) ?? (await glanceAt(reader, ref, disk, signal)),
}

async function readConversation(
  ref: SourceRef,
  opened: DiskFile,
  disk: Disk,
  signal: AbortSignal,
): Promise<ConversationFact> {
  const { key } = ref
  const beginning = await readSessionBeginning(opened, signal)
  const { title, words, project, createdAt, updatedAt, parent } = beginning
  return {
    key,
    title: title ?? words ?? key,
    storedTitle: title,
    project,
    createdAt,
    updatedAt,
    ...callerFacts(parent, parent === undefined ? undefined : await callOf(key, pathOf(ref), disk)),
  }
}

/** A person's first words are in the first message, or soon behind it. */
const messagesOfGlances = [1, 3]

/** From the first lines of a session alone; undefined where more has to be read. */
async function beginningGlance(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<Glance | undefined> {
  for (const messages of messagesOfGlances) {
    const glance = await glanceAtFirst(messages, ref, disk, signal)
    if (glance !== undefined) return glance
  }
  return undefined
}

async function glanceAtFirst(
  messages: number,
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<Glance | undefined> {
  const place = parseRecordPath(pathOf(ref))
  if (place?.format !== sessionFormat) return undefined
  const file = recordPath({ ...place, name: beginningNameOf({ session: ref.key, messages }) })
  const opened = await disk.open(file, 'read').catch((error: unknown) => {
    // Reading all of it finds it, or reports why not.
    if (error instanceof DiskError) return undefined
    throw error
  })
  if (opened === undefined) return undefined
  try {
    const { words, ...beginning } = await readSessionBeginning(opened, signal)
    const { title = words, project, createdAt, updatedAt } = beginning
    if (title === undefined || createdAt === undefined) return undefined
    return glanceOf(ref, { title, project, createdAt }, updatedAt)
  } finally {
    await opened.close()
  }
}

/** The call that began a subagent's session, where the parent's rows name it. */
async function callOf(key: string, file: string, disk: Disk): Promise<string | undefined> {
  const place = parseRecordPath(file)
  if (place?.format !== sessionFormat) return undefined
  const name = callNameOf(key)
  const bytes = await readWholeFile(disk, recordPath({ ...place, name }))
  const found: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  return isJsonObject(found) ? textAt(found, 'call') : undefined
}
